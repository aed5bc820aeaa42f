/** Detects a file's type from its first bytes. Its name and declared type are ignored (W27). */
import { fileTypeFromBuffer } from 'file-type';
import { typeAliases } from '../../media-types.ts';
import { PlatformSdkError } from './sdk-error.ts';

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
  const type = await typeOf(Buffer.concat(first).subarray(0, sampleBytes));
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
  const contentType = type && (typeAliases.get(type.mime) ?? type.mime);
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

async function typeOf(sample: Buffer) {
  const type = await fileTypeFromBuffer(sample);
  const isForeign = prefixes.some(
    ([prefix, of]) =>
      sample.subarray(0, prefix.length).equals(prefix) && !of.test(type?.mime ?? ''),
  );
  return isForeign ? undefined : type;
}

/**
 * Identifies an upload and checks that its type is allowed.
 *
 * @param types the allowed media types.
 * @throws {PlatformSdkError} 415; the stream is cancelled.
 * @throws whatever the stream throws.
 */
export async function identifyUpload(
  file: ReadableStream<Uint8Array>,
  types: readonly string[],
): Promise<IdentifiedFile & { contentType: string }> {
  const { contentType, stream } = await identifyFile(file);
  if (contentType !== undefined && types.includes(contentType)) {
    return { contentType, stream };
  }
  await stream.cancel();
  throw new PlatformSdkError(415, 'unsupported_media_type');
}
