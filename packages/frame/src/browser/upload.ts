/**
 * Uploads a file to the site's own `/api/`, as the whole request body. Uses `XMLHttpRequest`,
 * because `fetch` reports no upload progress.
 */
import { localApiUrl, resultOf, type ApiResult } from './api.ts';

export interface Upload {
  /** An app-local `/api/...` address. */
  url: string;
  file: Blob;
  /** 0 to 1. */
  onProgress: (share: number) => void;
  /** Aborting cancels the request. */
  signal: AbortSignal;
}

/**
 * Uploads with the visitor's session. Browser only. A failure is a value, as with `requestApi`.
 *
 * @throws {Error} synchronously, and only for an address on another origin or outside `/api/`.
 */
export function uploadFile<T>({ url, file, onProgress, signal }: Upload): Promise<ApiResult<T>> {
  const address = localApiUrl(url);
  if (!address) throw new Error('Uploads require an app-local /api/... URL');
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    const lost = (code: string) => () => {
      resolve({ ok: false, status: 0, code });
    };
    request.upload.onprogress = ({ loaded, total }) => {
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onload = () => {
      resolve(resultOf<T>(request.status, request.responseText));
    };
    request.onerror = lost('connection_lost');
    request.onabort = lost('aborted');
    request.open('POST', address.href);
    request.withCredentials = true;
    // The server detects the type from the first bytes, whatever the file claims.
    request.setRequestHeader('content-type', 'application/octet-stream');
    signal.addEventListener('abort', () => {
      request.abort();
    });
    if (signal.aborted) lost('aborted')();
    else request.send(file);
  });
}
