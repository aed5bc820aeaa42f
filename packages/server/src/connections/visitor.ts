/** The visitor's connection, as a signal that aborts when they disconnect. */
import type { ServerResponse } from 'node:http';

/**
 * Costs a tenth of an `AbortController` per request. A class, because an object literal with a getter gets a
 * new hidden class each time, which retains its closure until the old generation is collected.
 */
export class Visitor {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The request's `Cookie` header, or an empty string. */
  get cookie(): string {
    return this.#response.req.headers.cookie ?? '';
  }

  get aborted(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) listener();
    });
  }

  removeEventListener(): void {
    // The listener is collected with the response, and has no effect once its call is over.
  }
}
