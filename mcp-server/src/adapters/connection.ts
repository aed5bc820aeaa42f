/** One connection as the adapter sees it: who calls, what is remembered, and the SDK's protocol below. */
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

/** One request's id, signal and way back, from the SDK's protocol or from the stateless transport. */
export type Extra = Omit<
  RequestHandlerExtra<ServerRequest, ServerNotification>,
  'signal' | '_meta'
> & {
  readonly signal: Cancellation;
  readonly _meta?: RequestMeta | undefined;
  /** Absent where the transport does not tell it. */
  readonly timing?: CallTiming;
  /** As in {@link Remembered}, of a request that says it of itself. */
  readonly revision?: string;
};

export interface Connection {
  /**
   * `stateless`: everybody is answered alike, so nothing is remembered and nobody can be asked. `modern`: each
   * request says all of itself, over any transport, and a question is answered by calling again.
   */
  readonly mode: 'stdio' | 'session' | 'stateless' | 'modern';
  /** Absent where a page cannot know that its visitor is the caller, as with OAuth. */
  readonly secretPages?: SecretPages;
}

/** What a connection knows of its client. Stays as it is made in `stateless` mode. */
export interface Remembered {
  /** How its user can be asked. Of all that a client says of itself no more is kept: it may be much. */
  asks: { readonly form: boolean; readonly url: boolean };
  /** The protocol's, by its date: who speaks an older one cannot read all that a result may hold. */
  revision: string;
  /** Messages below it are not sent. A modern request that names none is sent none. */
  logLevel: LoggingLevel | 'none';
}

/** One request being answered. */
export interface Call {
  readonly runtime: Runtime;
  readonly connection: Connection;
  readonly remembered: Readonly<Remembered>;
  readonly caller: Caller;
  readonly extra: Extra;
  /** Seals what a question must remember until it is answered. In the modern era alone. */
  readonly states?: RequestStates;
}

/** A result of either era: the SDK's types know the older one's alone. */
export type AnyResult = ServerResult | Readonly<Record<string, unknown>>;

export type Handler = (params: unknown, call: Call) => Promise<AnyResult> | AnyResult;

/** What the protocol has and a service's definition has not: subscriptions, say, or results that are no text. */
export interface Extension {
  readonly capabilities: ServerCapabilities;
  /** By method. Each answers in place of this adapter's own, which it may call. */
  readonly handlers: ReadonlyMap<string, Handler>;
}

/**
 * The SDK's protocol: ids, cancellation, answers. Not its `Server`, whose own handlers parse twice, whose
 * errors carry whole messages, and which makes a JSON schema validator for each connection.
 */
export class McpServer extends Protocol<ServerRequest, ServerNotification, ServerResult> {
  protected override assertCapabilityForMethod(): void {
    // What a client can do is looked at where it is asked.
  }
  protected override assertNotificationCapability(): void {
    // As above.
  }
  protected override assertRequestHandlerCapability(): void {
    // Capabilities are computed from the service.
  }
  protected override assertTaskCapability(): void {
    // No client is asked for a task.
  }
  protected override assertTaskHandlerCapability(): void {
    // A call that asks to be a task is answered as any other: the specification's rule without tasks.
  }
}
