/** When the next request of a credential may go: what the service allows, and what it last said of it. */
import { headerOf } from '../answer/answer.ts';

/** A service's limit on requests, which it counts by credential. */
export interface RateLimit {
  /** So many requests in so many seconds: further ones are spread over the time, and not sent to be refused. */
  readonly requests?: number;
  readonly seconds?: number;
  /** The headers that say how many requests are left, and when there are more: seconds, or Unix time. */
  readonly headers?: { readonly remaining: string; readonly reset: string };
}

/** What one answer can make all calls of a credential wait: then the service is asked again. */
const longestPauseMs = 10 * 60_000;
const mostCredentials = 1_000;

export class Pace {
  /** Milliseconds for each request; 0 where no limit is known. */
  readonly #interval: number;
  /** How far ahead of the even pace a burst may be. */
  readonly #burst: number;
  /** By credential, the time at which it would be its next turn if it kept the even pace. */
  readonly #next = new Map<string, number>();
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
   * @returns Milliseconds until then. When these are more than `most`, no turn is taken.
   */
  take(credential: string, most: number, now = performance.now()): number {
    if (this.#interval === 0 && this.#next.size === 0) return 0;
    const next = Math.max(this.#next.get(credential) ?? now, now);
    const wait = Math.max(0, next - now - this.#burst);
    if (wait > most) return wait;
    if (this.#interval > 0) this.#keep(credential, next + this.#interval);
    else if (next === now) this.#next.delete(credential);
    return wait;
  }

  /** No turn before so many milliseconds have passed. */
  pause(credential: string, milliseconds: number, now = performance.now()): void {
    const until = now + Math.min(milliseconds, longestPauseMs) + this.#burst;
    if (until > (this.#next.get(credential) ?? now)) this.#keep(credential, until);
  }

  /** Pauses when the headers say that nothing is left. */
  learn(credential: string, raw: readonly Buffer[], date = Date.now()): void {
    if (!this.#headers || headerOf(raw, this.#headers.remaining)?.trim() !== '0') return;
    const reset = Number(headerOf(raw, this.#headers.reset) ?? Number.NaN);
    if (!(reset >= 0)) return;
    // No service asks for a wait of thirty years: it is the time of day.
    this.pause(credential, reset > 1e9 ? Math.max(0, reset * 1_000 - date) : reset * 1_000);
  }

  #keep(credential: string, next: number): void {
    this.#next.delete(credential);
    this.#next.set(credential, next);
    if (this.#next.size <= mostCredentials) return;
    for (const oldest of this.#next.keys()) if (this.#next.delete(oldest)) break;
  }
}
