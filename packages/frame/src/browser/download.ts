/**
 * Authenticated downloads (W21–W25). A native download from a cross-origin frame uses the top-level
 * cookie jar: it gets a 401, or another account's file. `fetch` uses the frame's own cookies.
 */

import { localApiUrl } from './api.ts';
import { createPartialFile, type DownloadProgress, type PartialFile } from './partial-file.ts';

export interface AuthenticatedDownload {
  /** An app-local `/api/...` address. */
  url: string;
  filename: string;
}

export interface DownloadAttempt {
  /** Aborting cancels the download: nothing is saved. */
  signal?: AbortSignal;
  onProgress?: (progress: DownloadProgress) => void;
  /** What earlier attempts received of this file. This attempt resumes from it, and adds to it. */
  partial?: PartialFile;
}

/**
 * Saves a protected file. Browser only, from an event handler (W23).
 *
 * @throws {Error} `Authenticated downloads require an app-local /api/... URL` (W24)
 * @throws {Error} `Download failed (<status>)` (W25)
 * @throws {TypeError} when the connection is lost; after an abort, the signal's reason
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
    // Range not satisfiable: the file is shorter than what was received, so the next attempt starts
    // over.
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
  // Navigation to the Blob URL starts in a later task: revoking it synchronously can lose the file.
  setTimeout(() => {
    URL.revokeObjectURL(blobUrl);
  }, 0);
}
