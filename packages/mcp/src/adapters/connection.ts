/** A client connection: its mode, what is remembered of its client, and its requests. */
import { z } from 'zod';
import type { Cancellation } from '../core/context/cancellation.ts';
import type { Caller, CallTiming } from '../core/context/tool-context.ts';
import type { Runtime } from './runtime.ts';
import type { SecretPages } from './questions/secret-pages.ts';
import type { RequestStates } from './questions/request-state.ts';
import type { RequestId, RequestMeta, ServerCapabilities, ServerResult } from './sdk.ts';

/** The levels of log messages, the least severe first. */
export const logLevels = z.enum([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

export interface Outgoing {
  readonly method: string;
  readonly params?: object;
}

/** Id, signal and reply channel of one request. */
export interface Extra {
  readonly requestId: RequestId;
  readonly signal: Cancellation;
  readonly _meta?: RequestMeta | undefined;
  /** Absent if the transport does not record timings. */
  readonly timing?: CallTiming;
  /** The revision, as in {@link Remembered}, for a request that states its own. */
  readonly revision?: string;
  sendNotification(notification: Outgoing): Promise<void>;
  /** @throws ProtocolError for an error response, and for a late one (-32001); otherwise why there was none. */
  sendRequest<Schema extends z.ZodType>(
    request: Outgoing,
    result: Schema,
    timeoutMs?: number,
  ): Promise<z.output<Schema>>;
  /** Ends the response, for a client that can resume it. Absent if it cannot. */
  readonly closeSSEStream?: (() => void) | undefined;
}

export interface Connection {
  /**
   * `stateless`: nothing is remembered, every client gets the same answers, and users cannot be asked.
   * `modern`: each request carries its own metadata, over any transport, and the client answers a question by
   * repeating the call.
   */
  readonly mode: 'stdio' | 'session' | 'stateless' | 'modern';
  /** Absent if a page cannot verify that its visitor is the caller, as with OAuth. */
  readonly secretPages?: SecretPages;
}

/** What a connection remembers of its client. Never changes in `stateless` mode. */
export interface Remembered {
  /** The supported modes of elicitation. The other capabilities are not kept, because their size is unbounded. */
  elicits: { readonly form: boolean; readonly url: boolean };
  /** The negotiated revision, a date. Clients of an older one do not support every type of content. */
  revision: string;
  /** Minimum level of log messages sent to the client. `none` for a modern request without a level. */
  logLevel: z.output<typeof logLevels> | 'none';
}

export interface Call {
  readonly runtime: Runtime;
  readonly connection: Connection;
  readonly remembered: Readonly<Remembered>;
  readonly caller: Caller;
  readonly extra: Extra;
  /** Seals the state of a question until it is answered. Modern era only. */
  readonly states?: RequestStates;
}

/** A result of either era. The SDK's types cover the older one only. */
export type AnyResult = ServerResult | Readonly<Record<string, unknown>>;

export type Handler = (params: unknown, call: Call) => Promise<AnyResult> | AnyResult;

/** Parts of the protocol that a service definition does not cover, such as custom subscriptions or content types. */
export interface Extension {
  readonly capabilities: ServerCapabilities;
  /** Handlers by method. Each replaces the adapter's own handler, and may call it. */
  readonly handlers: ReadonlyMap<string, Handler>;
}
