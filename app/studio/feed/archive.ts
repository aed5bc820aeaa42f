/** Downloads several outputs as one archive. */

/** Maximum outputs per archive. */
export const archiveMax = 50;

export const archiveFilename = 'generations.zip';

export function archiveUrl(ids: readonly string[]): string {
  return `/api/generations/archive?${new URLSearchParams(ids.map((id) => ['id', id]))}`;
}
