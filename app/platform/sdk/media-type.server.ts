/** What a file is, by its first bytes. Neither its name nor its declared type counts (W27). */
import { fileTypeFromBuffer } from 'file-type';
import { uploadTypes } from './media/media';
import { PlatformSdkError } from './sdk-error.server';

/** Bytes that file-type needs to tell a file's type. */
export const sampleBytes = 4_100;

export interface IdentifiedFile {
  /** Undefined for an unknown kind of file. */
  contentType: string | undefined;
  /** The whole file, its first bytes included. */
  stream: ReadableStream<Uint8Array>;
}

/**
 * Reads the first bytes of a stream and no more. The stream it was given is locked from then on.
 *
 * @throws what the stream throws.
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
  const type = await fileTypeFromBuffer(Buffer.concat(first).subarray(0, sampleBytes));
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
  return { contentType: type?.mime, stream };
}

/**
 * A visitor's file, where its kind may be uploaded.
 *
 * @throws {PlatformSdkError} 415; the stream is cancelled.
 * @throws what the stream throws.
 */
export async function identifyUpload(
  file: ReadableStream<Uint8Array>,
): Promise<IdentifiedFile & { contentType: string }> {
  const { contentType, stream } = await identifyFile(file);
  if (contentType !== undefined && uploadTypes.includes(contentType)) {
    return { contentType, stream };
  }
  await stream.cancel();
  throw new PlatformSdkError(415, 'unsupported_media_type');
}
