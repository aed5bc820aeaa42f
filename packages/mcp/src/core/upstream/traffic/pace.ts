/** Rate limiting of requests by credential: by the configured limit and by the service's responses. */
import { LRUCache } from 'lru-cache';
import { headerOf } from '../response/response.ts';

/** A service's rate limit, counted for each credential. */
export interface RateLimit {
  /** The number of requests allowed in `seconds`. Excess requests are delayed instead of sent and rejected. */
  readonly requests?: number;
  readonly seconds?: number;
  /** The headers with the number of remaining requests, and the reset time in seconds or as Unix time. */
  readonly headers?: { readonly remaining: string; readonly reset: string };
}

const longestPauseMs = 10 * 60_000;
const mostCredentials = 1_000;

export class Pace {
  /** Milliseconds for each request; 0 if no limit is known. */
  readonly #interval: number;
  /** How far, in milliseconds, a burst may run ahead of the even pace. */
  readonly #burst: number;
  /** By credential: the time of its next turn at the even pace. */
  readonly #next = new LRUCache<string, number>({ max: mostCredentials });
  readonly #headers: RateLimit['headers'];

  constructor({ requests = 0, seconds = 60, headers }: RateLimit = {}) {
    this.#interval = requests > 0 ? (seconds * 1_000) / requests : 0;
    this.#burst = requests > 0 ? (requests - 1) * this.#interval : 0;
    this.#headers = headers && {
      remaining: headers.remaining.toLowerCase(),
      reset: headers.reset.toLowerCase(),
    };
  }

  get readsHeaders(): boolean {
    return this.#headers !== undefined;
  }

  /**
   * Takes a turn.
   *
   * @returns The milliseconds to wait for it. If that is more than `most`, no turn is taken.
   */
  take(credential: string, most: number, now = performance.now()): number {
    if (this.#interval === 0 && this.#next.size === 0) return 0;
    const next = Math.max(this.#next.get(credential) ?? now, now);
    const wait = Math.max(0, next - now - this.#burst);
    if (wait > most) return wait;
    if (this.#interval > 0) this.#next.set(credential, next + this.#interval);
    else if (next === now) this.#next.delete(credential);
    return wait;
  }

  /** Blocks further turns for so many milliseconds. */
  pause(credential: string, milliseconds: number, now = performance.now()): void {
    const until = now + Math.min(milliseconds, longestPauseMs) + this.#burst;
    if (until > (this.#next.get(credential) ?? now)) this.#next.set(credential, until);
  }

  /** Pauses the credential if the headers report that no request remains. */
  learn(credential: string, raw: readonly Buffer[], date = Date.now()): void {
    if (!this.#headers || headerOf(raw, this.#headers.remaining)?.trim() !== '0') return;
    const reset = Number(headerOf(raw, this.#headers.reset) ?? Number.NaN);
    if (!(reset >= 0)) return;
    // A value above 10⁹ would be a delay of thirty years, and so is a Unix time.
    this.pause(credential, reset > 1e9 ? Math.max(0, reset * 1_000 - date) : reset * 1_000);
  }
}
