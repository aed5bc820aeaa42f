/** Converts the content that a resource definition returns into `ResourceContents`. */
import type { ResourceContents } from './tool-context.ts';

/** Text, bytes, or either with its own MIME type for templates that serve several types of file. */
export type ResourceContent =
  string | Uint8Array | { readonly mimeType: string; readonly content: string | Uint8Array };

export function sizeOf(given: ResourceContent): number {
  if (typeof given === 'string') return Buffer.byteLength(given);
  return given instanceof Uint8Array ? given.byteLength : sizeOf(given.content);
}

/** @param mimeType The definition's MIME type, for content without its own. */
export function contentsOf(
  uri: string,
  mimeType: string,
  given: ResourceContent,
): ResourceContents {
  if (typeof given === 'string') return { uri, mimeType, text: given };
  if (given instanceof Uint8Array) return { uri, mimeType, blob: base64(given) };
  return contentsOf(uri, given.mimeType, given.content);
}

export function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
