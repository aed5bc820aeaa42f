/**
 * What has arrived of a file, over one attempt or more: the next one asks for the rest alone, where the server allows
 * ranges and the file is still the same (RFC 9110, sections 13.1.5 and 14). Browser only.
 */

export interface DownloadProgress {
  /** Bytes that have arrived. */
  received: number;
  /** Bytes of the whole file; null where the server does not say. */
  total: number | null;
}

export interface PartialFile {
  /** The headers that ask for the rest; null where the whole file must be asked for. */
  readonly headers: Record<string, string> | null;
  /**
   * Takes a successful answer: the whole file, which begins anew, or the rest.
   *
   * @param onProgress told at the answer's head, and then at most ten times a second.
   * @throws {Error} `Download failed (206)` for a part that does not follow. What was there is forgotten.
   * @throws {TypeError} as for a lost connection, where the answer ends early. What has arrived is kept.
   */
  receive(response: Response, onProgress?: (progress: DownloadProgress) => void): Promise<Blob>;
  forget(): void;
}

/** Milliseconds between two reports of progress. */
const pace = 100;

/** Bytes that are gathered into a Blob: a browser can put those on the disk. */
const gathered = 8 * 1024 * 1024;

export function createPartialFile(): PartialFile {
  let parts: BlobPart[] = [];
  /** Bytes that are not in a Blob yet. */
  let loose = 0;
  let received = 0;
  let total: number | null = null;
  /** Names this version of the file; empty where it cannot be gone on with. */
  let etag = '';

  const forget = () => {
    parts = [];
    loose = received = 0;
    total = null;
    etag = '';
  };
  const begin = ({ headers }: Response) => {
    forget();
    // Its length and its ranges would be those of the coded bytes.
    if (headers.has('content-encoding')) return;
    total = wholeNumber(headers.get('content-length'));
    const version = headers.get('etag') ?? '';
    // A weak one may name other bytes.
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
      let told = performance.now();
      const reader = response.body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        add(read.value);
        if (performance.now() - told < pace) continue;
        told = performance.now();
        onProgress({ received, total });
      }
      // A part may be less than was asked for.
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
