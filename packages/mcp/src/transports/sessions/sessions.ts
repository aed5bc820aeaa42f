/**
 * Streamable HTTP with sessions (M29), for servers that ask their users (M23). Each session has its own protocol
 * server and belongs to one caller. It ends when it is idle for too long, and the number of sessions is limited.
 */
import { readHello } from '../../adapters/methods/initialize.ts';
import { errorOf } from '../../adapters/protocol-error.ts';
import type { SecretPages } from '../../adapters/questions/secret-pages.ts';
import type { Runtime } from '../../adapters/runtime.ts';
import type { Caller } from '../../core/context/tool-context.ts';
import type { Endpoint, Message } from '../gate/endpoint.ts';
import { refusal, sendResponse, type GateResponse, type Exchange } from '../gate/exchange.ts';
import { EventMemory, SessionEvents } from './event-store.ts';
import { Session } from './session.ts';

export interface SessionOptions {
  /** Time after which a session without a call or an open stream ends. */
  readonly idleSeconds: number;
  /** Limit at which a new session evicts the longest idle one. */
  readonly maxSessions: number;
  /** Limit for the events of all sessions, which are kept for resuming streams. Default: 32 Mi characters. */
  readonly maxEventCharacters?: number;
}

const missing = refusal(
  400,
  'Bad Request: Mcp-Session-Id is missing. Send initialize first, and the id in its response with every later request.',
);
/** Also for another caller's session, so that the response does not reveal whether it exists. */
const unknown = refusal(
  404,
  'Session not found: it has ended, or belongs to another caller. Send initialize for a new one.',
  {},
  -32_001,
);

export function createSessions(
  runtime: Runtime,
  options: SessionOptions,
  secretPages?: SecretPages,
): Endpoint {
  /** By id, in order of last use, the least recent first. */
  const sessions = new Map<string, Session>();
  const full = refusal(
    503,
    `All ${options.maxSessions} sessions (MCP_MAX_SESSIONS) have a call in progress. Try again in 5 seconds.`,
    { 'retry-after': '5' },
  );
  const memory = new EventMemory(options.maxEventCharacters ?? 32 * 1024 * 1024);

  function handle(exchange: Exchange, incoming: Message | undefined): void {
    const found = sessionFor(exchange, incoming);
    if (found instanceof Session) use(found, exchange);
    const response = found instanceof Session ? found.handle(exchange, incoming) : found;
    if (response) sendResponse(exchange, response);
  }

  function sessionFor(
    { request, caller }: Exchange,
    incoming: Message | undefined,
  ): Session | GateResponse {
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
        return { status: 200, body: { jsonrpc: '2.0', id: requestId, error: errorOf(error) } };
      }
      return makeRoom(caller) ? open(caller, revision) : full;
    }
    const session = sessions.get(String(id));
    return session?.caller.id === caller.id ? session : unknown;
  }

  function open(caller: Caller, revision: string): Session {
    const session = new Session({
      runtime,
      secretPages,
      caller,
      revision,
      events: new SessionEvents(memory),
      onEnd: ({ id }) => sessions.delete(id),
    });
    sessions.set(session.id, session);
    return session;
  }

  function use(session: Session, { response }: Exchange): void {
    session.connections += 1;
    touch(session);
    response.once('close', () => {
      session.connections -= 1;
      touch(session);
    });
  }

  function touch(session: Session): void {
    session.lastUsedAt = Date.now();
    if (sessions.delete(session.id)) sessions.set(session.id, session);
  }

  function makeRoom(caller: Caller): boolean {
    while (sessions.size >= options.maxSessions) {
      const idlest = idlestFor(caller);
      if (!idlest) return false;
      void idlest.close();
    }
    return true;
  }

  /** Returns the session to evict: the caller's own longest idle one, otherwise the longest idle of all. */
  function idlestFor(caller: Caller): Session | undefined {
    const idle = [...sessions.values()].filter(({ isBusy }) => !isBusy);
    return idle.find((session) => session.caller.id === caller.id) ?? idle[0];
  }

  function endIdle(): void {
    const limit = Date.now() - options.idleSeconds * 1_000;
    for (const session of sessions.values()) {
      if (session.lastUsedAt > limit) return;
      // A client that disconnected during a call has the idle time to resume it.
      if (session.connections === 0) void session.close();
    }
  }

  const sweep = setInterval(endIdle, Math.min(options.idleSeconds, 60) * 500).unref();

  return {
    methods: ['GET', 'POST', 'DELETE'],
    handle,
    close: async () => {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}
