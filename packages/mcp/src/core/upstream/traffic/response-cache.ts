/** Response cache, separate for each caller. */
import { LRUCache } from 'lru-cache';
import type { RawResponse } from '../response/response.ts';

/** Approximate size of an entry in addition to its bytes. */
const overhead = 500;

export class ResponseCache {
  readonly #responses: LRUCache<string, RawResponse>;
  #writes = 0;

  constructor(maxBytes: number) {
    this.#responses = new LRUCache({
      maxSize: maxBytes,
      // Reads the clock each time; otherwise the library starts a timer.
      ttlResolution: 0,
      perf: { now: () => performance.now() },
      sizeCalculation: (response, key) => response.bytes.length + key.length * 2 + overhead,
    });
  }

  /** Counts the writes of all callers: a response to an earlier request may be older than a write. */
  get writes(): number {
    return this.#writes;
  }

  get(key: string): RawResponse | undefined {
    return this.#responses.get(key);
  }

  /** @param writes The value of {@link writes} when the request was sent. */
  keep(key: string, { status, headers, bytes }: RawResponse, ttl: number, writes: number): void {
    if (writes !== this.#writes) return;
    // Copied: the response is a view of a larger buffer of the connection.
    const copy = {
      status,
      headers: headers.map((field) => Buffer.from(field)),
      bytes: Buffer.from(bytes),
    };
    this.#responses.set(key, copy, { ttl });
  }

  /** Drops the caller's entries after a write, which can change any of them. */
  forget(caller: string): void {
    this.#writes += 1;
    if (this.#responses.size === 0) return;
    const theirs = ownerOf(caller);
    for (const key of [...this.#responses.keys()])
      if (key.startsWith(theirs)) this.#responses.delete(key);
  }
}

/** Includes the caller and the headers with the credential: an entry is valid for one caller and one account only. */
export function cacheKey(caller: string, ...parts: readonly unknown[]): string {
  return ownerOf(caller) + JSON.stringify(parts);
}

/** A JSON string, because no JSON string is a prefix of another. */
function ownerOf(caller: string): string {
  return JSON.stringify(caller);
}
