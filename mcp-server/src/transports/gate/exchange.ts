/** One HTTP request on its way through the gate, and the answers that the gate gives itself. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../../core/context/tool-context.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** `performance.now()` when the request's head was read. */
  readonly startedAt: number;
  /** Set by authentication. */
  caller?: Caller;
  /** Set by the body check: parsed JSON, not yet looked at. */
  body?: unknown;
}

/** An answer instead of the server's. */
export interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
}

/** Lets a request pass, or answers it. Where nothing must be awaited, nothing is: this is the hot path. */
export type Middleware = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

/** The codes that the SDK's transports use for HTTP's own refusals. */
export const errorCode = {
  refused: -32_000,
  sessionNotFound: -32_001,
} as const;

/**
 * A refusal in JSON-RPC's shape. The id is null: a refusal comes before the message is understood.
 *
 * @param message Fixed words. Never what the caller sent.
 */
export function refusal(
  status: number,
  code: number,
  message: string,
  headers?: OutgoingHttpHeaders,
): Answer {
  return {
    status,
    body: { jsonrpc: '2.0', error: { code, message }, id: null },
    ...(headers && { headers }),
  };
}

/** Headers of every answer: nothing here may be cached or guessed at. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** What a refused caller goes on to send is thrown away for so long, so that it hears the answer. */
export const lingerMilliseconds = 1_000;

/** So much of a refused body is read to its end, and its connection is kept. */
const smallBytes = 64 * 1024;

/** Writes an answer, once. */
export function sendAnswer({ request, response }: Exchange, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const text = answer.body === undefined ? '' : JSON.stringify(answer.body);
  const unread = hasLongUnreadBody(request);
  response.writeHead(answer.status, {
    ...commonHeaders,
    ...(text !== '' && { 'content-type': 'application/json' }),
    ...(answer.status !== 204 && { 'content-length': Buffer.byteLength(text) }),
    ...(unread && { connection: 'close' }),
    ...answer.headers,
  });
  if (!unread) {
    response.end(text);
    return;
  }
  // A connection that is closed on unread bytes is reset, and the reset may overtake the answer.
  response.write(text);
  const end = () => response.end();
  setTimeout(end, lingerMilliseconds);
  request.once('end', end).resume();
}

function hasLongUnreadBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > smallBytes
  );
}
