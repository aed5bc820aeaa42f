/** One connection: its requests in progress, their cancellation, and the requests to its client. */
import type { z } from 'zod';
import { LightSignal } from '../core/context/cancellation.ts';
import type { Log } from '../core/context/log.ts';
import type { Caller } from '../core/context/tool-context.ts';
import type { Connection, Extra, Outgoing } from './connection.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { claimedVersion } from './modern/envelope.ts';
import { codes, errorOf, ProtocolError, type Fault } from './protocol-error.ts';
import type { Runtime } from './runtime.ts';
import type { JSONRPCMessage, JSONRPCRequest, JSONRPCResponse, RequestId } from './sdk.ts';

/**
 * Sends the messages of a connection. It gives what it receives to {@link McpServer.receive}: valid messages, each with an
 * id of its own while its request is in progress.
 */
export interface Transport {
  /** @param options The request during which a message is sent that is no response. */
  send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void>;
}

type Given = Pick<Extra, 'closeSSEStream'> & { readonly caller?: Caller | undefined };

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const requestTimeoutMs = 60_000;

/** An error's message never reaches a client, except that of a ProtocolError, which is written for it. */
export class McpServer {
  readonly #log: Log;
  readonly #older: Dispatch;
  readonly #modern: Dispatch | undefined;
  readonly #caller: Caller;
  readonly #running = new Map<RequestId, LightSignal>();
  /** Requests to the client without a response yet. They have ids of their own. */
  readonly #pending = new Map<number, PendingRequest>();
  #count = 0;
  #transport: Transport | undefined;
  /** Why no request can reach the client any more. */
  #unreachable: Error | undefined;

  /** @param modern Dispatches requests of the modern era. If omitted, they get the errors of the older era. */
  constructor(runtime: Runtime, connection: Connection, caller: Caller, modern?: Dispatch) {
    this.#log = runtime.log;
    this.#older = createDispatch(runtime, connection);
    this.#modern = modern;
    this.#caller = caller;
  }

  connect(transport: Transport): void {
    this.#transport = transport;
  }

  /** Aborts everything: the client is gone. */
  disconnect(): void {
    this.#transport = undefined;
    this.giveUpQuestions('Connection closed');
    this.#abortAll();
  }

  /** @param given What a transport knows of one request. Default: the connection's caller. */
  receive(message: JSONRPCMessage, given: Given = {}): void {
    if (!('method' in message)) {
      this.#settle(message);
    } else if ('id' in message) {
      void this.#respond(message, given);
    } else {
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) this.#cancel(cancelled);
    }
  }

  isRunning(id: RequestId): boolean {
    return this.#running.has(id);
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Aborts what is running, and answers it with an error. Resolves once the client can have it. */
  async cut(error: Fault): Promise<void> {
    const ids = [...this.#running.keys()];
    this.#abortAll();
    await Promise.all(ids.map(async (id) => this.#transport?.send({ jsonrpc: '2.0', id, error })));
  }

  /** Rejects the requests to the client, those in progress and later ones: no response can arrive any more. */
  giveUpQuestions(reason: string): void {
    this.#unreachable = new Error(reason);
    for (const { reject } of this.#pending.values()) reject(this.#unreachable);
  }

  #abortAll(): void {
    for (const signal of this.#running.values()) signal.abort();
    this.#running.clear();
  }

  #cancel(id: RequestId): void {
    const signal = this.#running.get(id);
    signal?.abort();
    // Later: a client cannot know yet that the id is free, and a request with it in the same chunk is refused.
    queueMicrotask(() => {
      this.#forget(id, signal);
    });
  }

  /** Unless a later request has the id. */
  #forget(id: RequestId, signal: LightSignal | undefined): void {
    if (this.#running.get(id) === signal) this.#running.delete(id);
  }

  /** A cancelled request gets no response. */
  async #respond(request: JSONRPCRequest, { caller, closeSSEStream }: Given): Promise<void> {
    const { id, params } = request;
    const isModern = claimedVersion(params) !== undefined;
    const dispatch = (isModern && this.#modern) || this.#older;
    const signal = new LightSignal();
    this.#running.set(id, signal);
    const extra: Extra = {
      requestId: id,
      signal,
      _meta: params?._meta,
      closeSSEStream,
      sendNotification: async (notification) => {
        if (!signal.aborted) await this.#send(notification, id);
      },
      sendRequest: (outgoing, schema, timeoutMs) =>
        this.#request(outgoing, schema, id, signal, timeoutMs),
    };
    let response: JSONRPCResponse;
    try {
      const result = (await dispatch(request, caller ?? this.#caller, extra)) as Record<
        string,
        unknown
      >;
      response = { result, jsonrpc: '2.0', id };
    } catch (error) {
      response = { jsonrpc: '2.0', id, error: errorOf(error) };
    }
    this.#forget(id, signal);
    if (signal.aborted) return;
    await this.#transport?.send(response).catch((error: unknown) => {
      this.#log.debug('A response could not be sent', { error });
    });
  }

  async #request<Schema extends z.ZodType>(
    outgoing: Outgoing,
    schema: Schema,
    during: RequestId,
    signal: LightSignal,
    timeoutMs = requestTimeoutMs,
  ): Promise<z.output<Schema>> {
    signal.throwIfAborted();
    if (this.#unreachable) throw this.#unreachable;
    const id = this.#count;
    this.#count += 1;
    const cancel = (error: Error): void => {
      const params = { requestId: id, reason: error.message };
      void this.#send({ method: 'notifications/cancelled', params }, during).catch(() => undefined);
      this.#pending.get(id)?.reject(error);
    };
    const timer = setTimeout(() => {
      cancel(new ProtocolError(codes.requestTimeout, 'Request timed out'));
    }, timeoutMs);
    const onAbort = (): void => {
      cancel(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
    try {
      const result = await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        this.#send({ ...outgoing, id }, during).catch(reject);
      });
      return schema.parse(result);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
    }
  }

  #settle(response: JSONRPCResponse): void {
    const pending = this.#pending.get(Number(response.id));
    if ('result' in response) pending?.resolve(response.result);
    else pending?.reject(new ProtocolError(response.error.code, response.error.message));
  }

  async #send(message: Outgoing & { id?: number }, during: RequestId): Promise<void> {
    const whole = { ...message, jsonrpc: '2.0' } as JSONRPCMessage;
    await this.#transport?.send(whole, { relatedRequestId: during });
  }
}

/** Returns the id of the request that a notification cancels. Not of the first one, whose id can be 0: `initialize`. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const { requestId, reason } = message.params ?? {};
  if ('id' in message || !requestId || !['undefined', 'string'].includes(typeof reason)) {
    return undefined;
  }
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}
