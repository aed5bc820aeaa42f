/**
 * The bytes received of a file over one or more attempts. A later attempt requests only the missing
 * range, if the server supports ranges and the file is unchanged (RFC 9110, sections 13.1.5 and
 * 14). Browser only.
 */

export interface DownloadProgress {
  /** Bytes received so far. */
  received: number;
  /** Bytes of the complete file; null if the server does not say. */
  total: number | null;
}

export interface PartialFile {
  /** The headers that request the missing range; null if the complete file must be requested. */
  readonly headers: Record<string, string> | null;
  /**
   * Reads a successful response: the complete file, which starts over, or the missing range.
   *
   * @param onProgress called when the headers arrive, then at most ten times a second.
   * @throws {Error} `Download failed (206)` for a range that does not continue what was received,
   *   which is discarded.
   * @throws {TypeError} when the body ends early, as for a lost connection. What was received is
   *   kept.
   */
  receive(response: Response, onProgress?: (progress: DownloadProgress) => void): Promise<Blob>;
  forget(): void;
}

/** Milliseconds between two progress reports. */
const pace = 100;

/** Bytes after which chunks are merged into a Blob, which a browser can move to disk. */
const gathered = 8 * 1024 * 1024;

export function createPartialFile(): PartialFile {
  let parts: BlobPart[] = [];
  /** Bytes that are not in a Blob yet. */
  let loose = 0;
  let received = 0;
  let total: number | null = null;
  /** A strong validator of this version of the file; empty if the download cannot be resumed. */
  let etag = '';

  const forget = () => {
    parts = [];
    loose = received = 0;
    total = null;
    etag = '';
  };
  const begin = ({ headers }: Response) => {
    forget();
    // The length and ranges would count encoded bytes.
    if (headers.has('content-encoding')) return;
    total = wholeNumber(headers.get('content-length'));
    const version = headers.get('etag') ?? '';
    // A weak validator does not guarantee the same bytes.
    if (headers.get('accept-ranges') === 'bytes' && version.startsWith('"')) etag = version;
  };
  const follows = ({ headers }: Response) => {
    const [, start, length] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range(headers)) ?? [];
    return (
      received > 0 &&
      Number(start) === received &&
      headers.get('etag') === etag &&
      (length === '*' || total === null || Number(length) === total)
    );
  };
  const add = (chunk: Uint8Array<ArrayBuffer>) => {
    parts.push(chunk);
    loose += chunk.length;
    received += chunk.length;
    if (loose < gathered) return;
    parts = [new Blob(parts)];
    loose = 0;
  };

  return {
    get headers() {
      return etag && received > 0 ? { range: `bytes=${received}-`, 'if-range': etag } : null;
    },
    async receive(response, onProgress = () => undefined) {
      if (response.status !== 206) begin(response);
      else if (!follows(response)) {
        forget();
        await response.body?.cancel();
        throw new Error(`Download failed (${response.status})`);
      }
      onProgress({ received, total });
      let reportedAt = performance.now();
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        add(read.value);
        if (performance.now() - reportedAt < pace) continue;
        reportedAt = performance.now();
        onProgress({ received, total });
      }
      // A server may send less than the range that was requested.
      if (total !== null && received < total) throw new TypeError('The file ends early');
      const type = response.headers.get('content-type') ?? '';
      const file = new Blob(parts, { type });
      forget();
      return file;
    },
    forget,
  };
}

function range(headers: Headers): string {
  return headers.get('content-range') ?? '';
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
