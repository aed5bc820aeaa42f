/** Answers that are kept for a while, each for the caller who asked. */
import { LRUCache } from 'lru-cache';
import type { RawAnswer } from '../answer/answer.ts';

/** What is kept of an answer beside its bytes, roughly. */
const overhead = 500;

export class AnswerCache {
  readonly #answers: LRUCache<string, RawAnswer>;
  #writes = 0;

  constructor(maxBytes: number) {
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      // Looked at each time: the library would else keep a timer.
      ttlResolution: 0,
      perf: { now: () => performance.now() },
      sizeCalculation: (answer, key) => answer.bytes.length + key.length * 2 + overhead,
    });
  }

  /** Changes with each write of anybody: an answer that was asked for before may be older than the write. */
  get writes(): number {
    return this.#writes;
  }

  get(key: string): RawAnswer | undefined {
    return this.#answers.get(key);
  }

  /** @param writes As it was when the answer was asked for. */
  keep(key: string, { status, headers, bytes }: RawAnswer, ttl: number, writes: number): void {
    if (writes !== this.#writes) return;
    // What came from the connection is a part of a larger piece of memory.
    const copy = {
      status,
      headers: headers.map((one) => Buffer.from(one)),
      bytes: Buffer.from(bytes),
    };
    this.#answers.set(key, copy, { ttl });
  }

  /** What the caller wrote may change whatever they read. */
  forget(caller: string): void {
    this.#writes += 1;
    if (this.#answers.size === 0) return;
    const theirs = ownerOf(caller);
    for (const key of [...this.#answers.keys()])
      if (key.startsWith(theirs)) this.#answers.delete(key);
  }
}

/** Holds the caller, and the headers with the credential: an answer is read by the caller and the account that it was for. */
export function cacheKey(caller: string, ...asked: readonly unknown[]): string {
  return ownerOf(caller) + JSON.stringify(asked);
}

/** A JSON string: none is the beginning of another's. */
function ownerOf(caller: string): string {
  return JSON.stringify(caller);
}
