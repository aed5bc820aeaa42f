/** What a browser learns about a file, from either adapter. */
import { mediaExtensions, type Media } from './media';

export function mediaOf(kept: Pick<Media, 'id' | 'contentType' | 'bytes' | 'sha256'>): Media {
  const extension = mediaExtensions.get(kept.contentType) ?? 'bin';
  return {
    ...kept,
    url: `/api/media/${encodeURIComponent(kept.id)}/file.${extension}`,
    filename: `${kept.id}.${extension}`,
  };
}
