/** A client connection: its mode, what is remembered of its client, and the SDK's protocol class. */
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  LoggingLevel,
  RequestMeta,
  ServerCapabilities,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Cancellation } from '../core/context/cancellation.ts';
import type { Caller, CallTiming } from '../core/context/tool-context.ts';
import type { Runtime } from './runtime.ts';
import type { SecretPages } from './questions/secret-pages.ts';
import type { RequestStates } from './questions/request-state.ts';

/** Id, signal and reply channel of one request, from the SDK's protocol or from the stateless transport. */
export type Extra = Omit<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta'
> & {
  readonly signal: Cancellation;
  readonly _meta?: RequestMeta | undefined;
  /** Absent if the transport does not record timings. */
  readonly timing?: CallTiming;
  /** The revision, as in {@link Remembered}, for a request that states its own. */
  readonly revision?: string;
};

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
  logLevel: LoggingLevel | 'none';
}

/** One request in progress. */
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

/**
 * The SDK's `Protocol` for ids, cancellation and responses. Not its `Server`, which parses each request twice,
 * includes whole messages in errors, and creates a JSON Schema validator for each connection.
 */
export class McpServer extends Protocol<ServerRequest, ServerNotification, ServerResult> {
  protected override assertCapabilityForMethod(): void {
    // The client's capabilities are checked where they are needed.
  }
  protected override assertNotificationCapability(): void {
    // As above.
  }
  protected override assertRequestHandlerCapability(): void {
    // The capabilities are derived from the service.
  }
  protected override assertTaskCapability(): void {
    // The server never sends task requests.
  }
  protected override assertTaskHandlerCapability(): void {
    // A call that requests a task is answered as a normal call, as the specification requires of a server without
    // tasks.
  }
}
