/**
 * Sends a file of the visitor's to the site's own `/api/`, as the request's whole body. By `XMLHttpRequest`: it
 * alone tells how much of a body is sent.
 */
import { localApiUrl, readAnswer, type ApiAnswer } from './api';

export interface Upload {
  /** An app-local `/api/...` address. */
  url: string;
  file: Blob;
  /** 0 to 1. */
  onProgress: (share: number) => void;
  /** Aborting breaks the request off: nothing is kept. */
  signal: AbortSignal;
}

/**
 * Uploads with the visitor's session. Browser only. What goes wrong is a value, as for `askApi`.
 *
 * @throws {Error} synchronously, and only for an address of another origin or outside `/api/`.
 */
export function uploadFile<T>({ url, file, onProgress, signal }: Upload): Promise<ApiAnswer<T>> {
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
      resolve(readAnswer<T>(request.status, request.responseText));
    };
    request.onerror = lost('connection_lost');
    request.onabort = lost('aborted');
    request.open('POST', address.href);
    request.withCredentials = true;
    // The site tells the kind by the first bytes, whatever the file calls itself.
    request.setRequestHeader('content-type', 'application/octet-stream');
    signal.addEventListener('abort', () => {
      request.abort();
    });
    if (signal.aborted) lost('aborted')();
    else request.send(file);
  });
}
