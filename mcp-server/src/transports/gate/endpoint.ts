/** What stands behind the gate at `/mcp`, in either way of serving. */
import type { Exchange } from './exchange.ts';
import type { Incoming } from '../messages/incoming.ts';

export type Message = Exclude<Incoming, { readonly kind: 'invalid' }>;

export interface Endpoint {
  /** The HTTP methods that it has. */
  readonly methods: readonly string[];
  /**
   * Takes a request that passed the gate, and sees to its answer.
   *
   * @param incoming What a POST brought; nothing invalid.
   */
  handle(exchange: Exchange, incoming: Message | undefined): Promise<void> | void;
  /** Ends what still runs. */
  close(): Promise<void>;
}
