/** What routes may ask of the files that the visitor uploads. */
import type { FilePart, PlatformFile } from '../sdk-error.server';
import type { Media } from './media';

export interface MediaFiles {
  /**
   * Uploads a file, whose type its first bytes tell. A stream that errors cancels the upload: the platform
   * keeps nothing.
   *
   * @param options.bytes its length, where that is known ahead.
   * @throws what the stream throws.
   */
  upload(
    file: ReadableStream<Uint8Array>,
    options?: { bytes?: number | undefined },
  ): Promise<Media>;
  remove(id: string): Promise<void>;
  /**
   * @param extension what the file's address promises, such as `png`.
   * @param part which bytes of it. An adapter may give the whole file nevertheless.
   */
  read(id: string, extension: string, part?: FilePart): Promise<PlatformFile>;
}
