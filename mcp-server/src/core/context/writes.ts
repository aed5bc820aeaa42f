/**
 * The writes that one run of a tool made. A question can end the run, and the next run starts the handler from its
 * beginning, which would repeat the writes before the question.
 */
import { createHash } from 'node:crypto';
import { ToolError } from '../result/errors.ts';

export class Writes {
  #isBare = false;
  readonly #keys = new Set<string>();

  /** @param idempotencyKey The key that the write was sent with, if any. */
  note(idempotencyKey: string | undefined): void {
    if (idempotencyKey === undefined) this.#isBare = true;
    else this.#keys.add(digestOf(idempotencyKey));
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
