/**
 * What one run of a tool wrote to its service. A question may end the run, and the next one begins at its start:
 * what was written before it would be written twice.
 */
import { createHash } from 'node:crypto';
import { ToolError } from '../result/errors.ts';

export class Writes {
  #isBare = false;
  readonly #keys = new Set<string>();

  /** @param idempotencyKey Under which the service does it once, however often it is sent. */
  note(idempotencyKey: string | undefined): void {
    if (idempotencyKey === undefined) this.#isBare = true;
    else this.#keys.add(digestOf(idempotencyKey));
  }

  /** The keys that the next run must use again, if it writes before its question. Not the keys themselves. */
  get keys(): readonly string[] {
    return [...this.#keys];
  }

  /** @throws ToolError when something was written without a key. */
  checkQuestion(): void {
    if (!this.#isBare) return;
    throw new ToolError(
      'This tool wrote to its service before it asked its user, without an idempotency key, and so it does not ask: it would write again once the user answers. Look at what is changed. (For its author: ask first, or send `idempotencyKey: context.idempotencyKey`.)',
    );
  }
}

/** @throws ToolError when a write before the question has another key than in the run before. */
export function checkRepeatedWrite(before: readonly string[], idempotencyKey: string): void {
  if (before.length === 0 || before.includes(digestOf(idempotencyKey))) return;
  throw new ToolError(
    'This tool would write again what it wrote before it asked its user, under another idempotency key, and so it does not. Look at what is changed. (For its author: send `idempotencyKey: context.idempotencyKey`, which stays the same.)',
  );
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 16);
}
