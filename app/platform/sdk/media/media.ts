/** Safe website data (W20): all that a browser receives of a file that the visitor uploaded. */

/** A file that the platform keeps for the visitor. */
export interface Media {
  id: string;
  /** Told by its first bytes. */
  contentType: string;
  bytes: number;
  /** Of its bytes, in hexadecimal digits. */
  sha256: string;
  /** Where it is on this site. */
  url: string;
  filename: string;
}

/** Media types that a visitor may upload, and the extension of each. */
export const mediaExtensions: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['video/mp4', 'mp4'],
]);

export const uploadTypes: readonly string[] = [...mediaExtensions.keys()];

/** Bytes of one upload. */
export const uploadMaxBytes = 100 * 1024 * 1024;
