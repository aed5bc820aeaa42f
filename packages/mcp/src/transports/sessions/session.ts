/** One session (M29): its protocol server, and the streams on which its client reads responses. */
import { randomUUID } from 'node:crypto';
import { cancelledBy, McpServer, type Transport } from '../../adapters/mcp-server.ts';
import { codes, shuttingDown } from '../../adapters/protocol-error.ts';
import type { SecretPages } from '../../adapters/questions/secret-pages.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import type { JSONRPCMessage, RequestId } from '../../adapters/sdk.ts';
import type { Caller } from '../../core/context/tool-context.ts';
import { jsonLine, oneLine } from '../../core/result/format.ts';
import type { Message } from '../gate/endpoint.ts';
import { refusal, type Exchange, type GateResponse } from '../gate/exchange.ts';
import { EventStream, eventOf } from './event-stream.ts';
import { faults, refusalOf, type IncomingRequest } from '../messages/incoming.ts';
import type { SessionEvents, Stream } from './event-store.ts';

const alreadyInitialized = 'Invalid Request: Server already initialized';
const initialized = refusal(400, alreadyInitialized, {}, codes.invalidRequest);
const unknownEvent = (id: string): GateResponse =>
  refusal(
    400,
    `Bad Request: the Last-Event-ID "${oneLine(id, 80)}" is unknown, or its event is no longer kept. Open a stream without it.`,
  );
/** Stops the client's `EventSource` from reconnecting (HTML, section 9.2): no more events follow. */
const streamOver: GateResponse = { status: 204 };

/** The SSE `retry` value: when a client reconnects to a broken stream. */
const reconnectMilliseconds = 1_000;

export interface SessionParts {
  readonly runtime: Runtime;
  readonly secretPages: SecretPages | undefined;
  readonly caller: Caller;
  /** Negotiated by `initialize`: it holds for the whole session, whatever later requests claim. */
  readonly revision: string;
  readonly events: SessionEvents;
  readonly onEnd: (session: Session) => void;
}

export class Session implements Transport {
  readonly id = randomUUID();
  readonly caller: Caller;
  lastUsedAt = Date.now();
  connections = 0;

  readonly #parts: SessionParts;
  readonly #server: McpServer;
  /** Of the requests without a response yet. */
  readonly #streams = new Map<RequestId, Stream>();
  /** For messages that belong to no request, of which this server has none. */
  #listener: EventStream | undefined;
  #isInitialized = false;

  constructor(parts: SessionParts) {
    const { runtime, secretPages, caller } = parts;
    this.#parts = parts;
    this.caller = caller;
    const connection = { mode: 'session', ...(secretPages && { secretPages }) } as const;
    this.#server = new McpServer(runtime, connection, caller);
    this.#server.connect(this);
  }

  /** Whether a request has no response yet. Its client may have disconnected. */
  get isBusy(): boolean {
    return this.#streams.size > 0;
  }

  /** @returns The response, unless it is a stream. */
  handle(exchange: Exchange, incoming: Message | undefined): GateResponse | undefined {
    if (incoming?.kind === 'request') return this.#respond(exchange, incoming.message);
    if (incoming) {
      this.#server.receive(incoming.message);
      // A cancelled request gets no response (specification).
      const cancelled = cancelledBy(incoming.message);
      if (cancelled !== undefined) this.#end(cancelled);
      return { status: 202 };
    }
    if (exchange.request.method === 'GET') return this.#listen(exchange);
    void this.close();
    return { status: 200 };
  }

  #respond(exchange: Exchange, message: IncomingRequest): GateResponse | undefined {
    const { id, method } = message;
    if (this.#streams.has(id)) return { status: 400, body: refusalOf(faults.idInUse, id) };
    if (method === 'initialize' && this.#isInitialized) return initialized;
    this.#isInitialized = true;
    const stream: Stream = { isOver: false };
    this.#streams.set(id, stream);
    // Older clients cannot read an event without data.
    const canResume = this.#parts.revision >= '2025-11-25';
    const eventId = canResume ? this.#parts.events.add(stream, '') : '';
    const retry = `id: ${eventId}\nretry: ${reconnectMilliseconds}\ndata: \n\n`;
    this.#attach(stream, exchange, canResume ? retry : '');
    this.#server.receive(message, {
      caller: exchange.caller,
      ...(canResume && { closeSSEStream: () => stream.reader?.end() }),
    });
    return undefined;
  }

  /** A newer stream replaces an older one, whose client may have vanished without closing it. */
  #listen(exchange: Exchange): GateResponse | undefined {
    const lastEventId = exchange.request.headers['last-event-id']?.toString();
    if (!lastEventId) {
      this.#listener?.end();
      this.#listener = this.#open(exchange);
      return undefined;
    }
    const rest = this.#parts.events.after(lastEventId);
    if (!rest) return unknownEvent(lastEventId);
    const { stream, text } = rest;
    if (stream.isOver && text === '') return streamOver;
    stream.reader?.end();
    this.#attach(stream, exchange, text);
    if (stream.isOver) stream.reader?.end();
    return undefined;
  }

  #attach(stream: Stream, exchange: Exchange, start: string): void {
    const reader = this.#open(exchange, start);
    stream.reader = reader;
    exchange.cut = () => void this.#server.cut(shuttingDown);
    exchange.response.once('close', () => {
      if (stream.reader === reader) stream.reader = undefined;
    });
  }

  #open({ response }: Exchange, start = ''): EventStream {
    const stream = new EventStream(response, { 'mcp-session-id': this.id });
    if (start === '') response.flushHeaders();
    else void stream.write(start);
    return stream;
  }

  /** Stored whether or not a client is connected for it. Dropped if its request was cancelled. */
  async send(
    message: JSONRPCMessage,
    { relatedRequestId }: { relatedRequestId?: RequestId } = {},
  ): Promise<void> {
    const isResponse = !('method' in message);
    const requestId = isResponse ? message.id : relatedRequestId;
    const stream = requestId === undefined ? undefined : this.#streams.get(requestId);
    if (requestId === undefined || !stream) return;
    const text = jsonLine(message);
    const event = eventOf(text, this.#parts.events.add(stream, text));
    if (isResponse) this.#end(requestId, event);
    else await stream.reader?.write(event);
  }

  #end(requestId: RequestId, lastEvent?: string): void {
    const stream = this.#streams.get(requestId);
    if (!stream) return;
    this.#streams.delete(requestId);
    stream.isOver = true;
    stream.reader?.end(lastEvent);
  }

  close(): Promise<void> {
    for (const id of this.#streams.keys()) this.#end(id);
    this.#listener?.end();
    this.#parts.events.clear();
    this.#server.disconnect();
    this.#parts.onEnd(this);
    return Promise.resolve();
  }
}
