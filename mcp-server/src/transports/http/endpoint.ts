/** What stands behind the gate at `/mcp`, in either way of serving. */
import type { Exchange } from '../gate/exchange.ts';

export interface Endpoint {
  /** The HTTP methods that it has. */
  readonly methods: readonly string[];
  /** Takes a request that passed the gate, and sees to its answer. */
  handle(exchange: Exchange): Promise<void> | void;
  /** Ends what still runs. */
  close(): Promise<void>;
}
