/** Media as the protocol has them. */
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { base64, contentsOf } from '../core/context/resource-contents.ts';
import type { Media } from '../core/result/media.ts';

/** Whether a revision of the protocol knows links to resources in results. Revisions are dates. */
export function hasLinks(revision: string): boolean {
  return revision >= '2025-06-18';
}

/** @param revision Sounds came later than files: before, they are sent as such. */
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
