/**
 * Streamable HTTP with sessions (M29), for servers that ask their users (M23). Each session has its own protocol
 * server and belongs to one caller. It ends when it is idle for too long, and the number of sessions is limited.
 */
import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { carryCaller, StreamableHTTPServerTransport } from '../../adapters/http-protocol.ts';
import { readHello } from '../../adapters/methods/initialize.ts';
import { errorOf } from '../../adapters/protocol-error.ts';
import type { RequestId } from '../../adapters/message-shapes.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import { createMcpServer } from '../../adapters/sdk-server.ts';
import type { SecretPages } from '../../adapters/questions/secret-pages.ts';
import type { Caller } from '../../core/context/tool-context.ts';
import { escapedSeparators, oneLine } from '../../core/result/format.ts';
import type { Endpoint, Message } from '../gate/endpoint.ts';
import { endOfStream, EventMemory, SessionEvents } from './event-store.ts';
import {
  commonHeaders,
  errorCode,
  refusal,
  sendResponse,
  type GateResponse,
  type Exchange,
} from '../gate/exchange.ts';
import { setHeader } from '../gate/repeated-headers.ts';
import { cancelledBy, faults, refusalOf } from '../messages/incoming.ts';

export interface SessionOptions {
  /** Time after which a session without a call or an open stream ends. */
  readonly idleSeconds: number;
  /** Limit at which a new session evicts the longest idle one. */
  readonly maxSessions: number;
  /** Limit for the events of all sessions, which are kept for resuming streams. Default: 32 Mi characters. */
  readonly maxEventCharacters?: number;
}

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  readonly events: SessionEvents;
  readonly caller: Caller;
  /** The revision negotiated by `initialize`. */
  readonly revision: string;
  lastUsedAt: number;
  /** Requests without a response yet, whether or not a client is connected for them. */
  readonly inFlight: Set<RequestId>;
  /** Open responses: of POSTs in progress, and of GETs, which wait for server messages. */
  connections: number;
}

const missing = refusal(
  400,
  errorCode.refused,
  'Bad Request: Mcp-Session-Id is missing. Send initialize first, and the id in its response with every later request.',
);
/** Also for another caller's session, so that the response does not reveal whether it exists. */
const unknown = refusal(
  404,
  errorCode.sessionNotFound,
  'Session not found: it has ended, or belongs to another caller. Send initialize for a new one.',
);
const unknownEvent = (id: string): GateResponse =>
  refusal(
    400,
    errorCode.refused,
    `Bad Request: the Last-Event-ID "${oneLine(id, 80)}" is unknown, or its event is no longer kept. Open a stream without it.`,
  );
/** Stops the client's `EventSource` from reconnecting (HTML, section 9.2): no more events follow. */
const streamOver: GateResponse = { status: 204 };

const streamHeaders = { ...commonHeaders, 'content-type': 'text/event-stream' };

/** The SSE `retry` value: when a client reconnects to a broken stream. */
const reconnectMilliseconds = 1_000;

export function createSessions(
  runtime: Runtime,
  options: SessionOptions,
  secretPages?: SecretPages,
): Endpoint {
  /** By id, in order of last use, the least recent first. */
  const sessions = new Map<string, Session>();
  const full = refusal(
    503,
    errorCode.refused,
    `All ${options.maxSessions} sessions (MCP_MAX_SESSIONS) have a call in progress. Try again in 5 seconds.`,
    { 'retry-after': '5' },
  );
  const memory = new EventMemory(options.maxEventCharacters ?? 32 * 1024 * 1024);

  async function handle(exchange: Exchange, incoming: Message | undefined): Promise<void> {
    const found = await sessionFor(exchange, incoming);
    if ('status' in found) {
      sendResponse(exchange, found);
      return;
    }
    const { transport, events } = found;
    const { method, headers } = exchange.request;
    if (method === 'GET' && headers['last-event-id']) {
      const lastEventId = String(headers['last-event-id']);
      if (!events.has(lastEventId)) {
        sendResponse(exchange, unknownEvent(lastEventId));
        return;
      }
      const rest = events.restOfComplete(lastEventId);
      if (rest !== undefined) {
        touch(found);
        if (rest === '') sendResponse(exchange, streamOver);
        else exchange.response.writeHead(200, streamHeaders).end(rest);
        return;
      }
    } else if (method === 'GET') {
      // The newer stream replaces the older one, whose client may have vanished without closing it. The SDK would
      // refuse the newer one.
      transport.closeStandaloneSSEStream();
    }
    if (incoming?.kind === 'request' && found.inFlight.has(incoming.message.id)) {
      sendResponse(exchange, { status: 400, body: refusalOf(faults.idInUse, incoming.message.id) });
      return;
    }
    use(found, exchange, incoming);
    // The SDK decides by this header whether a client can resume streams. Later requests may omit or change it, but
    // the revision negotiated by `initialize` holds for the whole session.
    setHeader(exchange.request, 'mcp-protocol-version', found.revision);
    // The gate has already checked Accept; the SDK looks for exactly these types.
    setHeader(exchange.request, 'accept', 'application/json, text/event-stream');
    keepClose(exchange.response);
    escapeSeparators(exchange.response);
    carryCaller(exchange.request, exchange.caller);
    await transport.handleRequest(exchange.request, exchange.response, incoming?.message);
    if (transport.sessionId === undefined) await transport.close();
    const cancelled = incoming && cancelledBy(incoming.message);
    if (cancelled !== undefined) await endCancelled(found, cancelled);
  }

  async function sessionFor(
    { request, caller }: Exchange,
    incoming: Message | undefined,
  ): Promise<Session | GateResponse> {
    if (caller === undefined) throw new Error('The gate lets nobody in without a name');
    const id = request.headers['mcp-session-id'];
    if (id === undefined) {
      const opens = incoming?.kind === 'request' && incoming.message.method === 'initialize';
      if (!opens) return missing;
      const { id: requestId, params } = incoming.message;
      let revision: string;
      try {
        revision = readHello(params).protocolVersion;
      } catch (error) {
        // The SDK would not recognize it as `initialize`, and would respond without the request's id.
        return { status: 200, body: { jsonrpc: '2.0', id: requestId, error: errorOf(error) } };
      }
      return makeRoom(caller) ? open(caller, revision) : full;
    }
    const session = sessions.get(String(id));
    return session?.caller.id === caller.id ? session : unknown;
  }

  async function open(caller: Caller, revision: string): Promise<Session> {
    const events = new SessionEvents(memory);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: reconnectMilliseconds,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
    });
    const session: Session = {
      transport,
      events,
      caller,
      revision,
      lastUsedAt: Date.now(),
      inFlight: new Set(),
      connections: 0,
    };
    transport.onclose = () => {
      events.clear();
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    const server = createMcpServer(
      runtime,
      { mode: 'session', ...(secretPages && { secretPages }) },
      caller,
    );
    await server.connect(transport);
    const send = transport.send.bind(transport);
    transport.send = (message, sendOptions) =>
      send(message, sendOptions).finally(() => {
        if (!('method' in message) && message.id !== undefined) session.inFlight.delete(message.id);
      });
    return session;
  }

  function use(session: Session, { response }: Exchange, incoming: Message | undefined): void {
    const id = incoming?.kind === 'request' ? incoming.message.id : undefined;
    if (id !== undefined) session.inFlight.add(id);
    session.connections += 1;
    touch(session);
    response.once('close', () => {
      session.connections -= 1;
      // The SDK rejected the request: no response follows.
      if (id !== undefined && response.statusCode !== 200) session.inFlight.delete(id);
      touch(session);
    });
  }

  /**
   * Ends the stream of a cancelled request. A cancelled request gets no response (specification), but the SDK would
   * keep its stream open for one. So the stream is closed first, and then the SDK is given a response, which makes
   * it forget the request. With the stream closed, that response reaches the event store only, which records the
   * end and drops the response.
   */
  async function endCancelled({ transport, inFlight }: Session, id: RequestId): Promise<void> {
    if (!inFlight.delete(id)) return;
    transport.closeSSEStream(id);
    await transport.send(endOfStream(id)).catch(() => undefined);
  }

  function touch(session: Session): void {
    session.lastUsedAt = Date.now();
    const id = session.transport.sessionId;
    if (id !== undefined && sessions.delete(id)) sessions.set(id, session);
  }

  function makeRoom(caller: Caller): boolean {
    while (sessions.size >= options.maxSessions) {
      const idlest = idlestFor(caller);
      if (!idlest) return false;
      void idlest.transport.close();
    }
    return true;
  }

  /** Returns the session to evict: the caller's own longest idle one, otherwise the longest idle of all. */
  function idlestFor(caller: Caller): Session | undefined {
    const idle = [...sessions.values()].filter(({ inFlight }) => inFlight.size === 0);
    return idle.find((session) => session.caller.id === caller.id) ?? idle[0];
  }

  function endIdle(): void {
    const limit = Date.now() - options.idleSeconds * 1_000;
    for (const session of sessions.values()) {
      if (session.lastUsedAt > limit) return;
      // A client that disconnected during a call has the idle time to resume it.
      if (session.connections === 0) void session.transport.close();
    }
  }

  const sweep = setInterval(endIdle, Math.min(options.idleSeconds, 60) * 500).unref();

  return {
    methods: ['GET', 'POST', 'DELETE'],
    handle,
    close: async () => {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

/** Keeps a `Connection: close` header, which the SDK would overwrite with keep-alive. */
function keepClose(response: ServerResponse): void {
  if (response.getHeader('connection') !== 'close') return;
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, headers?: unknown) =>
    writeHead(status, { ...(headers as OutgoingHttpHeaders), connection: 'close' });
}

/** Escapes line separators in the events that the SDK serializes. It writes whole events, each in one chunk. */
function escapeSeparators(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: unknown, ...more: unknown[]) => boolean;
  response.write = (chunk: unknown, ...more: unknown[]) =>
    write(
      chunk instanceof Uint8Array ? escapedSeparators(Buffer.from(chunk).toString()) : chunk,
      ...more,
    );
}
