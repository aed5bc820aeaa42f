/** Detects a file's type from its first bytes. Its name and declared type are ignored (W27). */
import { fileTypeFromBuffer } from 'file-type';
import { typeAliases } from '../media-types.ts';

/** Bytes that file-type needs to detect a type. */
export const sampleBytes = 4_100;

export interface IdentifiedFile {
  /** Undefined for an unrecognised type. */
  contentType: string | undefined;
  /** The complete file, including the bytes that were read. */
  stream: ReadableStream<Uint8Array>;
}

/**
 * Reads only the first bytes of a stream, which is locked from then on.
 *
 * @throws whatever the stream throws.
 */
export async function identifyFile(file: ReadableStream<Uint8Array>): Promise<IdentifiedFile> {
  const reader = file.getReader();
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < sampleBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  const contentType = await contentTypeOf(Buffer.concat(first));
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = first.shift() ?? (await reader.read()).value;
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { contentType, stream };
}

/**
 * file-type skips what may precede the first bytes of some types, and finds a picture behind it that no program would
 * show: a byte order mark belongs to text, an ID3 tag to sound.
 */
const prefixes: readonly (readonly [prefix: Buffer, of: RegExp])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), /^text\/|xml$/],
  [Buffer.from('ID3'), /^audio\//],
];

/** @param start the first bytes of a file. @returns undefined for an unrecognised type. */
export async function contentTypeOf(start: Uint8Array): Promise<string | undefined> {
  const sample = start.subarray(0, sampleBytes);
  const type = await fileTypeFromBuffer(sample);
  const isForeign = prefixes.some(
    ([prefix, of]) =>
      prefix.equals(sample.subarray(0, prefix.length)) && !of.test(type?.mime ?? ''),
  );
  if (isForeign || !type) return undefined;
  return typeAliases.get(type.mime) ?? type.mime;
}
