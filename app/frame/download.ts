/**
 * Authenticated downloads (W21–W25). In a cross-origin frame a native download uses the wrong cookie
 * jar: it gets a 401, or the file of another account. Fetching with the frame's own cookies does not.
 */

import { localApiUrl } from './api';
import { createPartialFile, type DownloadProgress, type PartialFile } from './partial-file';

export interface AuthenticatedDownload {
  /** An app-local `/api/...` address. */
  url: string;
  filename: string;
}

export interface DownloadAttempt {
  /** Aborting breaks it off: nothing is saved. */
  signal?: AbortSignal;
  onProgress?: (progress: DownloadProgress) => void;
  /** What earlier attempts have left of this file: this one goes on from there, and leaves there what it has got. */
  partial?: PartialFile;
}

/**
 * Saves a protected file. Browser only, from an event handler (W23).
 *
 * @throws {Error} `Authenticated downloads require an app-local /api/... URL` (W24)
 * @throws {Error} `Download failed (<status>)` (W25)
 * @throws {TypeError} where the connection is lost, and what the signal was aborted with
 */
export async function downloadAuthenticatedFile(
  download: AuthenticatedDownload,
  { signal, onProgress, partial = createPartialFile() }: DownloadAttempt = {},
): Promise<void> {
  const url = localApiUrl(download.url);
  if (!url) throw new Error('Authenticated downloads require an app-local /api/... URL');
  const { headers } = partial;
  const response = await fetch(url.href, {
    credentials: 'include',
    ...(headers && { headers }),
    ...(signal && { signal }),
  });
  if (!response.ok) {
    // Nothing follows what has arrived: the next attempt begins anew.
    if (response.status === 416) partial.forget();
    throw new Error(`Download failed (${response.status})`);
  }

  const blobUrl = URL.createObjectURL(await partial.receive(response, onProgress));
  const anchor = document.createElement('a');
  anchor.href = blobUrl;
  anchor.download = download.filename;
  anchor.hidden = true;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  // The click reads the URL in this task; revoking within it can lose the file.
  setTimeout(() => {
    URL.revokeObjectURL(blobUrl);
  }, 0);
}
