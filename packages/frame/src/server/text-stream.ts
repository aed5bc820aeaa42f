/** A response body from text that is produced piece by piece. */

/**
 * Pulls a piece only when the visitor has taken the previous one, and ends the generator when the
 * visitor leaves. An error of the generator breaks the response off, so that it does not look
 * complete.
 *
 * @param onLeave called first when the visitor leaves, to interrupt what the generator waits for.
 */
export function textStream(
  pieces: AsyncGenerator<string>,
  onLeave?: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      cancel: async () => {
        onLeave?.();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
