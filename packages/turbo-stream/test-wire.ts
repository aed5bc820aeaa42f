/** Test helper: encodes and decodes values. A test file that imports it also fails on unhandled rejections. */
import { afterEach, expect, vi } from 'vitest';
import { decode, encode, type DecodePlugin } from 'turbo-stream';

type Options = Parameters<typeof encode>[1];

/** Encodes a value to bytes and decodes it again, as Remix does. */
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
