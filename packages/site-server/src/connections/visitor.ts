/** The visitor behind a response, as a signal that aborts when they go away. */
import type { ServerResponse } from 'node:http';

/**
 * Costs a tenth of an `AbortController` for each request. It is a class because an object literal with a
 * getter gets a hidden class of its own each time, which keeps what it closes over until the old generation
 * is collected.
 */
export class Visitor {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The request's `Cookie` header; empty where it has none. */
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
    // The listener goes with the response, and does nothing once its call is over.
  }
}
