/** What routes may ask of the visitor's generations. */
import type { FilePart, PlatformFile } from '../sdk-error.server';
import type { Estimate, Generation, GenerationFilter, GenerationPage, Order } from './generations';

/** What an estimate is asked for: an order, but for its words. */
export interface OrderSize extends Pick<Order, 'kind' | 'aspectRatio'> {
  /** Generations. */
  count: number;
  /** References of the order. */
  references: number;
}

export interface Generations {
  estimate(order: OrderSize): Promise<Estimate>;
  /**
   * Starts one generation a prompt: all of them, or none. The same key with the same order costs once, and gives
   * what the first gave; with another order it is 409 `idempotency_key_reused`.
   */
  submit(order: Order, options: { idempotencyKey: string }): Promise<Generation[]>;
  get(id: string): Promise<Generation>;
  list(page?: GenerationFilter & { cursor?: string | undefined }): Promise<GenerationPage>;
  /** Its credits come back. One that is finished: 409 `already_finished`. */
  cancel(id: string): Promise<Generation>;
  /** Takes one out of the list. For a while it can be restored. */
  remove(id: string): Promise<void>;
  restore(id: string): Promise<Generation>;
  /**
   * @param extension what the file's address and filename promise, such as `png`.
   * @param part which bytes of it. An adapter may give the whole file nevertheless.
   */
  readOutput(id: string, extension: string, part?: FilePart): Promise<PlatformFile>;
  /**
   * Those that are on their way, and each one again whenever it has changed, until `signal` aborts or the
   * platform ends it, as it does when the visitor's session ends.
   */
  watch(options: { signal: AbortSignal }): AsyncIterable<Generation>;
}
