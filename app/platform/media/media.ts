/** Safe website data (W20): everything a browser receives about an uploaded file. */

import { typeAliases } from '@gatehouse/frame';

/** A file that the platform stores for the visitor. */
export interface Media {
  id: string;
  /** Detected from its first bytes. */
  contentType: string;
  bytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  sha256: string;
  /** Its address on this site. */
  url: string;
  filename: string;
}

/** Media types that may be uploaded, and the extension of each. */
export const mediaExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
]);

export const uploadTypes: readonly string[] = [...mediaExtensions.keys()];

/** For the `accept` attribute of a file field. */
export const uploadAccept = [...uploadTypes, ...typeAliases.keys()].join();

/** For messages. */
export const uploadNames = [...mediaExtensions.values()].join(', ').toUpperCase();

/** Maximum bytes of one upload. */
export const uploadMaxBytes = 100 * 1024 * 1024;
