/** The platform's data in tests: a picture before and after it is made, and its bytes. */
export const running = {
  id: 'g1',
  kind: 'picture',
  aspect_ratio: '1:1',
  cost: 1,
  references: [],
  prompt: 'a fox',
  status: 'running',
  progress: 0.5,
  created_at: '2026-11-21T07:00:00Z',
};

export const done = {
  ...running,
  status: 'succeeded',
  progress: 1,
  output: { content_type: 'image/png', width: 640, height: 480 },
};

/** The shortest file that file-type detects as a PNG. */
export const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'hex',
);

/** The shortest file that file-type detects as an animated PNG. */
export const apng = Buffer.concat([
  png,
  Buffer.from('000000086163544c0000000200000000f38d9370', 'hex'),
]);

/** Reads a file's stream completely. */
export async function bytesOf({ body }: { body: ReadableStream<Uint8Array> }): Promise<Buffer> {
  return Buffer.from(await new Response(body).arrayBuffer());
}
