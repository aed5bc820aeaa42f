/** For tests: values through the wire. Whoever imports it has no rejection left unhandled by any test. */
import { afterEach, expect, vi } from 'vitest';
import { decode, encode, type DecodePlugin } from 'turbo-stream';

type Options = Parameters<typeof encode>[1];

/** As Remix uses it: encoded to bytes, decoded from bytes. */
export async function throughTheWire(
  value: unknown,
  options?: Options,
  plugins?: DecodePlugin[],
): Promise<unknown> {
  const decoded = await decode(encode(value, options), plugins ? { plugins } : {});
  return decoded.value;
}

export async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

const unhandled = vi.fn();

process.on('unhandledRejection', unhandled);

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).not.toHaveBeenCalled();
});
