/** Response cache, separate for each caller. */
import { LRUCache } from 'lru-cache';
import type { RawAnswer } from '../answer/answer.ts';

/** Approximate size of an entry in addition to its bytes. */
const overhead = 500;

export class AnswerCache {
  readonly #answers: LRUCache<string, RawAnswer>;
  #writes = 0;

  constructor(maxBytes: number) {
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      // Reads the clock each time; otherwise the library starts a timer.
      ttlResolution: 0,
      perf: { now: () => performance.now() },
      sizeCalculation: (answer, key) => answer.bytes.length + key.length * 2 + overhead,
    });
  }

  /** Counts the writes of all callers: a response to an earlier request may be older than a write. */
  get writes(): number {
    return this.#writes;
  }

  get(key: string): RawAnswer | undefined {
    return this.#answers.get(key);
  }

  /** @param writes The value of {@link writes} when the request was sent. */
  keep(key: string, { status, headers, bytes }: RawAnswer, ttl: number, writes: number): void {
    if (writes !== this.#writes) return;
    // Copied: the response is a view of a larger buffer of the connection.
    const copy = {
      status,
      headers: headers.map((one) => Buffer.from(one)),
      bytes: Buffer.from(bytes),
    };
    this.#answers.set(key, copy, { ttl });
  }

  /** Drops the caller's entries after a write, which can change any of them. */
  forget(caller: string): void {
    this.#writes += 1;
    if (this.#answers.size === 0) return;
    const theirs = ownerOf(caller);
    for (const key of [...this.#answers.keys()])
      if (key.startsWith(theirs)) this.#answers.delete(key);
  }
}

/** Includes the caller and the headers with the credential: an entry is valid for one caller and one account only. */
export function cacheKey(caller: string, ...asked: readonly unknown[]): string {
  return ownerOf(caller) + JSON.stringify(asked);
}

/** A JSON string, because no JSON string is a prefix of another. */
function ownerOf(caller: string): string {
  return JSON.stringify(caller);
}
