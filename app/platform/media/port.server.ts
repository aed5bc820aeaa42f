/** The port: the visitor's media. */
import type { FilePart, PlatformFile } from '@gatehouse/platform/server';
import type { Media } from './media';

export interface MediaFiles {
  /**
   * Uploads a file, whose type is detected from its first bytes. If the stream errors, the upload
   * is cancelled and the platform stores nothing.
   *
   * @param options.bytes its length, if known in advance.
   * @throws whatever the stream throws.
   */
  upload(
    file: ReadableStream<Uint8Array>,
    options?: { bytes?: number | undefined },
  ): Promise<Media>;
  remove(id: string): Promise<void>;
  /**
   * @param extension the one in the file's address, such as `png`.
   * @param part a byte range. An adapter may return the complete file instead.
   */
  read(id: string, extension: string, part?: FilePart): Promise<PlatformFile>;
}
