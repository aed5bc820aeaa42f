/** A response body from text that is produced piece by piece. */

/**
 * Pulls a piece only when the visitor has taken the previous one, and ends the generator when the
 * visitor leaves. An error of the generator breaks the response off, so that it does not look
 * complete.
 */
export function textStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
