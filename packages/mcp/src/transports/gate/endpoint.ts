/** The interface of the endpoint behind the gate, with sessions or without. */
import type { Exchange } from './exchange.ts';
import type { Incoming } from '../messages/incoming.ts';

/** The path of the endpoint. Requests with a final slash reach it, too. */
export const endpointPath = '/mcp';

export type Message = Exclude<Incoming, { readonly kind: 'invalid' }>;

export interface Endpoint {
  readonly methods: readonly string[];
  /**
   * Handles a request that passed the gate, and sends its response.
   *
   * @param incoming The valid message of a POST.
   */
  handle(exchange: Exchange, incoming?: Message): Promise<void> | void;
  /** Aborts what is still in progress. */
  close(): Promise<void>;
}
