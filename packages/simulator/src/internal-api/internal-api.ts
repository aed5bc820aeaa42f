/**
 * The platform's internal API: `/user` and the SDK's operations, on loopback only. It answers for the visitor
 * whose ticket a call carries, and records the caller's violations.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { runOperation } from '../repetitions.ts';
import {
  errorResponse,
  jsonResponse,
  type EventsResponse,
  type OperationResponse,
} from '../responses.ts';
import { BACKLOG } from '../backlog.ts';
import {
  defaultMaxBytes,
  findOperation,
  NO_SUCH_ENDPOINT,
  TOO_LARGE,
  type RoutedOperation,
} from '../definition.ts';
import { isIdentityHeader } from '../identity-claims.ts';
import { readBody } from '../read-body.ts';
import { deliver } from './fault-delivery.ts';
import type { FaultKind, Faults } from './faults.ts';
import { watchKeptConnections, type KeptConnections } from './kept-connections.ts';
import type { CallEntry, Ledger, ViolationKind } from './ledger.ts';
import type { Persona, PersonaBook } from '../people/personas.ts';
import type { Sessions } from '../people/sessions.ts';
import { TICKET_HEADER, type Redeemed, type Ticket, type Tickets } from '../people/tickets.ts';

export interface InternalApiParts<State> {
  personas: PersonaBook;
  routes: readonly RoutedOperation<State>[];
  /** The operations' current state: a reset replaces it. */
  state: () => State;
  /** Applies what has come due, before a call of this persona. */
  settle: (persona: Persona) => void;
  sessions: Sessions;
  tickets: Tickets;
  faults: Faults;
  ledger: Ledger;
}

export interface InternalApi {
  /** Listens on 127.0.0.1 (0 means any free port) and returns the port. */
  listen(port: number): Promise<number>;
  /** Refuses connections, or accepts them again on the same port. */
  setListening(listening: boolean): Promise<void>;
  close(): Promise<void>;
}

const UNAUTHENTICATED = errorResponse(401, 'unauthenticated', 'Sign in to use the platform.');
const REFUSED = errorResponse(
  403,
  'forbidden',
  'The internal address is for the site’s server only, and the platform attaches identity itself.',
);

/** Faults after which a call gets no response, or only a part of one. */
const cutting: ReadonlySet<FaultKind> = new Set([
  'reset',
  'idle_close',
  'truncated',
  'unreachable',
]);

/** Creates the internal API. It does not listen yet. */
export function createInternalApi<State>(parts: InternalApiParts<State>): InternalApi {
  const connections = watchKeptConnections();
  // Longer than clients keep idle connections: one that closes just as a call is sent loses the call.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    handle(request, response, { ...parts, connections }).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  let port = 0;
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: '127.0.0.1', backlog: BACKLOG }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });

  return {
    async listen(wanted) {
      port = wanted;
      await start();
      const address = server.address();
      port = typeof address === 'object' && address ? address.port : wanted;
      return port;
    },
    async setListening(listening) {
      if (listening === server.listening) return;
      await (listening ? start() : stop());
    },
    async close() {
      if (server.listening) await stop();
    },
  };
}

async function handle<State>(
  request: IncomingMessage,
  response: ServerResponse,
  parts: InternalApiParts<State> & { connections: KeptConnections },
): Promise<void> {
  const idleMs = parts.connections.begin(request, response);
  // Concatenated, not resolved: `//host/user` must not be parsed as another host's `/user`.
  const url = new URL(`http://internal${request.url ?? '/'}`);
  const isUser = request.method === 'GET' && url.pathname === '/user';
  const found = findOperation(parts.routes, request.method, url.pathname);
  const operation = found?.operation;
  const endpoint = isUser ? 'user' : operation?.name;
  const redeemed = redeem(request, parts);
  // A late call from before a reset: faults and the ledger ignore it.
  if (redeemed.kind === 'before_reset') {
    await deliver(response, null, { respond: () => UNAUTHENTICATED, beforeEnd: () => undefined });
    return;
  }
  const isReplayed = redeemed.kind === 'replayed';
  const ticket = redeemed.kind === 'nobody' ? null : redeemed.ticket;
  const isLate = ticket !== null && ticket.expiresAt < Date.now();
  // A busy site may start a request long after its visitor disconnected: what it calls first is not late.
  const isBelated = ticket?.isLeft === true && (isUser || !ticket.guardPassed);
  const persona = ticket && !isReplayed && !isLate ? personaOf(ticket, parts) : null;
  const refusals = refusalsOf(request, url);
  const violations: ViolationKind[] = [...refusals];
  if (endpoint === undefined) violations.push('unknown_endpoint');
  if (isReplayed) violations.push('ticket_replayed');
  else if (isLate && !isBelated) violations.push('late_call');
  else if (!isUser) {
    if (!ticket) violations.push('no_identity');
    else if (!ticket.guardPassed) violations.push('unguarded_call');
  }

  if (isUser && !ticket && refusals.length === 0) {
    parts.ledger.note(
      'user_without_visitor',
      `GET ${url.pathname} is 401: it came from outside any site request, or by a client that the identity preload does not cover.`,
    );
  }
  const entry = parts.ledger.open({
    siteRequest: ticket?.siteRequest ?? null,
    persona: persona?.id ?? null,
    method: request.method ?? '',
    path: request.url ?? '',
    endpoint: endpoint ?? 'unknown',
    violations,
  });
  const fault =
    endpoint !== undefined && refusals.length === 0
      ? parts.faults.take(endpoint, persona?.id ?? null, idleMs)
      : null;
  if (fault?.kind === 'idle_close') parts.connections.renew();
  let cut = false;
  response.once('close', () => {
    parts.ledger.close(entry, {
      status: response.headersSent ? response.statusCode : null,
      outcome: outcomeOf(response, cut),
      fault: fault?.kind ?? null,
    });
  });

  // Sent with every response and meant for no visitor: a site that forwards headers is revealed by them.
  response.setHeaders(
    new Headers({
      'cache-control': 'private, max-age=60',
      'set-cookie': 'platform_internal=canary; Path=/',
      'www-authenticate': 'Platform realm="internal"',
      'x-served-by': `127.0.0.1:${request.socket.localPort ?? 0}`,
    }),
  );
  // A caller without a persona gets the default limit: its upload is not buffered.
  const maxBytes = (persona && operation?.maxBytes) ?? defaultMaxBytes;
  const body = await readBody(request, maxBytes);
  if (response.destroyed) return;
  const respond = (): OperationResponse | EventsResponse => {
    if (refusals.length > 0) return REFUSED;
    if (endpoint === undefined) return NO_SUCH_ENDPOINT;
    if (!persona) return UNAUTHENTICATED;
    if (body === null) return TOO_LARGE;
    parts.settle(persona);
    if (!found) return jsonResponse(200, parts.personas.profileOf(persona));
    return runOperation(found.operation, {
      persona,
      personas: parts.personas,
      state: parts.state(),
      params: found.params,
      query: url.searchParams,
      headers: request.headers,
      body,
    });
  };
  cut = fault !== null && cutting.has(fault.kind);
  await deliver(response, fault, {
    respond,
    isOver: () => ticket === null || personaOf(ticket, parts) === null,
    beforeEnd(status) {
      if (!ticket || isReplayed || !isUser || status < 200 || status > 299) return;
      const pass = (): void => {
        ticket.guardPassed = true;
      };
      // A call that has already arrived did not wait for this response, so it must not count as guarded:
      // hence `setImmediate`. After a fault's timer the next call may arrive before the immediate, so there
      // the guard passes at once.
      if (fault === null) setImmediate(pass);
      else pass();
    },
  });
}

/** Determines from its ticket which visitor a call is made for. */
function redeem(
  { headers, method = '', url = '' }: IncomingMessage,
  { tickets }: Pick<InternalApiParts<unknown>, 'tickets'>,
): Redeemed {
  const ticket = headers[TICKET_HEADER];
  return typeof ticket === 'string' ? tickets.redeem(ticket, method, url) : { kind: 'nobody' };
}

/**
 * Violations that a correct site cannot commit. `sec-fetch-mode` alone is no sign of a browser: Node sends
 * it.
 */
function refusalsOf({ method, headers, socket }: IncomingMessage, url: URL): ViolationKind[] {
  const broken: ViolationKind[] = [];
  const names = Object.keys(headers).filter((name) => name !== TICKET_HEADER);
  if (names.some((name) => isIdentityHeader(name) || isKey(name)) || hasKeyInQuery(url)) {
    broken.push('credentials_sent');
  }
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'];
  if (method === 'GET' && hasBody) broken.push('body_sent');
  if (headers.cookie !== undefined) broken.push('cookie_sent');
  if (
    headers.origin !== undefined ||
    headers['sec-fetch-site'] !== undefined ||
    headers['sec-fetch-dest'] !== undefined ||
    /mozilla/i.test(headers['user-agent'] ?? '')
  ) {
    broken.push('browser_call');
  }
  // DNS rebinding can make a browser call loopback under another name; the `Host` header shows it.
  const port = socket.localPort ?? 0;
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!own.includes(headers.host ?? '')) broken.push('wrong_host');
  return broken;
}

/** Whether a header or parameter of this name usually carries a key or a token. */
function isKey(name: string): boolean {
  return /^(x-)?((access|id|auth|api|refresh|bearer|session)-?(key|token|secret)|token|jwt)$/.test(
    name.toLowerCase().replaceAll('_', '-'),
  );
}

function hasKeyInQuery({ searchParams }: URL): boolean {
  return [...searchParams.keys()].some(isKey);
}

function personaOf(
  { sessionId }: Ticket,
  { sessions, personas }: Pick<InternalApiParts<unknown>, 'sessions' | 'personas'>,
): Persona | null {
  const session = sessionId === null ? null : sessions.find(sessionId);
  return session ? (personas.find(session.personaId) ?? null) : null;
}

function outcomeOf(response: ServerResponse, cut: boolean): CallEntry['outcome'] {
  if (cut) return 'cut';
  return response.writableFinished ? 'answered' : 'aborted';
}
