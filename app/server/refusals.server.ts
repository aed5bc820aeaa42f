/** Refusals: short JSON, inert, never kept, under the request's id. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SiteEnv } from './env.server';
import { headersFor } from './headers.server';
import type { Refusal } from './request-checks.server';

/** Milliseconds that a refused sender has to read why, before the connection is gone. */
export const linger = 1_000;

export function refuse(
  response: ServerResponse,
  env: SiteEnv,
  requestId: string,
  { status, error, headers }: Refusal,
): void {
  response.setHeader('x-request-id', requestId);
  answerJson(response, env, status, { error }, headers);
}

/** Any short answer of the server's own, such as its health. */
export function answerJson(
  response: ServerResponse,
  env: SiteEnv,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const fields = { ...headersFor({ kind: 'resource', env }), ...headers, ...json };
  for (const [name, field] of Object.entries(fields)) response.setHeader(name, field);
  const body = JSON.stringify(value);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.writeHead(status);
  if (mayBringMore(response.req)) endAfterRequest(response, body);
  else response.end(body);
}

/** Answers that are out in full, while the rest of the request is still read. */
const heard = new WeakSet<ServerResponse>();

/**
 * Edges ask for the connection to be closed after the answer. Closed on bytes that nobody has read it is
 * reset, and the reset may overtake the answer: so the rest of the request is read first, for a while.
 */
function endAfterRequest(response: ServerResponse, body: string): void {
  // Out at once: what is malformed in the rest ends the connection within this turn.
  response.cork();
  // Of the answer to a HEAD nothing else would go out before its end.
  response.flushHeaders();
  response.write(body, (error) => {
    if (!error) heard.add(response);
  });
  response.uncork();
  const end = () => response.end();
  const timer = setTimeout(end, linger);
  response.once('close', () => {
    clearTimeout(timer);
  });
  response.req.once('end', end).resume();
}

/** Whether the whole answer went out, to a visitor who may have left before the request was whole. */
export function isAnswered(response: ServerResponse): boolean {
  return response.writableFinished || heard.has(response);
}

/** Of a request without a body too Node says that it is not complete, as long as its turn lasts. */
function mayBringMore({ complete, headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return !complete && (length > 0 || headers['transfer-encoding'] !== undefined);
}

/** A refusal as it goes over the wire, for a request that Node could not read. */
export function refusalText(env: SiteEnv, requestId: string, { status, error }: Refusal): string {
  const body = JSON.stringify({ error });
  const fields = {
    ...headersFor({ kind: 'resource', env }),
    ...json,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, field]) => `${name}: ${field}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
