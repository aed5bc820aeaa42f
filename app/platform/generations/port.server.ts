/** The port: generations. */
import type { FilePart, PlatformFile } from '@gatehouse/platform/server';
import type { Estimate, Generation, GenerationFilter, GenerationPage, Order } from './generations';

/** What an estimate depends on: an order without its prompts. */
export interface OrderSize extends Pick<Order, 'kind' | 'aspectRatio'> {
  /** Generations. */
  count: number;
  /** References of the order. */
  references: number;
}

export interface Generations {
  estimate(order: OrderSize): Promise<Estimate>;
  /**
   * Starts one generation per prompt: all of them or none. Repeating a key with the same order
   * returns the first result and charges nothing; with another order it is 409
   * `idempotency_key_reused`.
   *
   * @returns those that can be described. Generations that the platform describes unreadably, or
   *   that were removed before the key was repeated, are left out: the order is accepted even if
   *   none is left.
   */
  submit(order: Order, options: { idempotencyKey: string }): Promise<Generation[]>;
  get(id: string): Promise<Generation>;
  list(page?: GenerationFilter & { cursor?: string | undefined }): Promise<GenerationPage>;
  /**
   * Refunds the credits. 409 `already_finished` if it has finished.
   *
   * @returns null if it was canceled, but the platform describes it unreadably or not at all.
   */
  cancel(id: string): Promise<Generation | null>;
  /** Removes it from the list. It can be restored for a while. */
  remove(id: string): Promise<void>;
  /** @returns null if it was restored, but the platform describes it unreadably or not at all. */
  restore(id: string): Promise<Generation | null>;
  /**
   * @param extension the one in the file's address and filename, such as `png`.
   * @param part a byte range. An adapter may return the complete file instead.
   */
  readOutput(id: string, extension: string, part?: FilePart): Promise<PlatformFile>;
  /**
   * Yields pending generations, and each again when it changes, until `signal` aborts or the
   * platform ends the stream, as it does when the visitor's session ends.
   */
  watch(options: { signal: AbortSignal }): AsyncIterable<Generation>;
}
