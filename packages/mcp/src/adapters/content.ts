/** Converts media into content blocks of the protocol. */
import { base64, contentsOf } from '../core/context/resource-contents.ts';
import type { Media } from '../core/result/media.ts';
import type { ContentBlock } from './sdk.ts';

/** Whether a revision supports resource links in results. Revisions are dates, which compare as strings. */
export function hasLinks(revision: string): boolean {
  return revision >= '2025-06-18';
}

/** @param revision Audio content was added after embedded resources: older revisions get audio as a file. */
export function contentBlockOf(media: Media, revision: string): ContentBlock {
  const { type, mimeType } = media;
  if (type === 'file') {
    return { type: 'resource', resource: contentsOf(media.uri, mimeType, media.content) };
  }
  if (type === 'audio' && revision < '2025-03-26') {
    return { type: 'resource', resource: contentsOf('attachment://audio', mimeType, media.bytes) };
  }
  return { type, mimeType, data: base64(media.bytes) };
}
