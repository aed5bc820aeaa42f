/**
 * Authenticated downloads (W21–W25). In a cross-origin frame a native download uses the wrong cookie
 * jar: it gets a 401, or the file of another account. Fetching with the frame's own cookies does not.
 */

import { localApiUrl } from './api';

export interface AuthenticatedDownload {
  /** An app-local `/api/...` address. */
  url: string;
  filename: string;
}

/**
 * Saves a protected file. Browser only, from an event handler (W23).
 *
 * @throws {Error} `Authenticated downloads require an app-local /api/... URL` (W24)
 * @throws {Error} `Download failed (<status>)` (W25)
 */
export async function downloadAuthenticatedFile(download: AuthenticatedDownload): Promise<void> {
  const url = localApiUrl(download.url);
  if (!url) throw new Error('Authenticated downloads require an app-local /api/... URL');
  const response = await fetch(url.href, { credentials: 'include' });
  if (!response.ok) throw new Error(`Download failed (${response.status})`);

  const blobUrl = URL.createObjectURL(await response.blob());
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
