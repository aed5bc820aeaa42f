/** What a resource's definition reads, as it goes to whoever asked. */
import type { ResourceContents } from './tool-context.ts';

/** Text, bytes, or either with a type of its own where one template has files of many kinds. */
export type ResourceContent =
  string | Uint8Array | { readonly mimeType: string; readonly content: string | Uint8Array };

/** @param mimeType Of the definition, for content that names none. */
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
