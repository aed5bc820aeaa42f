/**
 * The writes of one run of a tool. A question can end the run, and the next run starts the handler from its
 * beginning, which would repeat the writes before the question. An error can end it too, and the model may then
 * repeat the call.
 */
import { createHash } from 'node:crypto';
import { ToolError, type Written } from '../result/errors.ts';

export class Writes {
  #isBare = false;
  #hasSucceeded = false;
  #pending = 0;
  readonly #keys = new Set<string>();

  /**
   * @param idempotencyKey The key that the write is sent with, if any.
   * @returns A function to call once the write succeeded or failed. Further calls have no effect.
   */
  note(idempotencyKey: string | undefined): (hasSucceeded: boolean) => void {
    if (idempotencyKey === undefined) this.#isBare = true;
    else this.#keys.add(digestOf(idempotencyKey));
    this.#pending += 1;
    let isPending = true;
    return (hasSucceeded) => {
      if (!isPending) return;
      isPending = false;
      this.#pending -= 1;
      this.#hasSucceeded ||= hasSucceeded;
    };
  }

  get written(): Written {
    if (this.#hasSucceeded) return 'yes';
    return this.#pending > 0 ? 'perhaps' : 'no';
  }

  /** Digests of the idempotency keys that the next run must reuse for writes before its question. */
  get keys(): readonly string[] {
    return [...this.#keys];
  }

  /** @throws ToolError if a write was made without an idempotency key. */
  checkQuestion(): void {
    if (!this.#isBare) return;
    throw new ToolError(
      'This tool wrote to its service before it asked its user, without an idempotency key, and so it does not ask: it would write again once the user answers. Look at what is changed. (For its author: ask first, or send `idempotencyKey: context.idempotencyKey`.)',
    );
  }
}

/** @throws ToolError if a repeated write has a key that the previous run did not use. */
export function checkRepeatedWrite(before: readonly string[], idempotencyKey: string): void {
  if (before.length === 0 || before.includes(digestOf(idempotencyKey))) return;
  throw new ToolError(
    'This tool would write again what it wrote before it asked its user, under another idempotency key, and so it does not. Look at what is changed. (For its author: send `idempotencyKey: context.idempotencyKey`, which stays the same.)',
  );
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 16);
}
