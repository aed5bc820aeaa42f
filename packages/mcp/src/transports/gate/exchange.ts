/** One HTTP request and its response, and the responses that the gate itself sends. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { closeIfUnread } from '@gatehouse/http';
import type { Caller } from '../../core/context/tool-context.ts';
import { jsonLine } from '../../core/result/format.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** `performance.now()` when the request's head was read. */
  readonly startedAt: number;
  /** Set by authentication. */
  caller?: Caller;
  /** Set by the body check: parsed JSON, not validated. */
  body?: unknown;
  /** Set by a call in progress: answers it with an error. */
  cut?: () => void;
}

/** A response sent instead of the endpoint's. */
export interface GateResponse {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: unknown;
}

/** Passes a request or returns a response. Synchronous where possible, because every request takes this path. */
export type Middleware = (
  exchange: Exchange,
) => GateResponse | undefined | Promise<GateResponse | undefined>;

/**
 * A rejection as a JSON-RPC error. The id is null, because the message is not parsed yet.
 *
 * @param message Names what was received, truncated and on one line, what is allowed, and the setting.
 * @param code Default: that of the SDK's transports for rejections at the HTTP level.
 */
export function refusal(
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
  code = -32_000,
): GateResponse {
  return { status, headers, body: { jsonrpc: '2.0', error: { code, message }, id: null } };
}

/** Headers of every response: no caching, no MIME sniffing. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** A rejected body up to this size is read completely, and its connection stays open. */
const smallBytes = 64 * 1024;

/** Sends a response, unless one was already sent. */
export function sendResponse({ request, response }: Exchange, gateResponse: GateResponse): void {
  if (response.headersSent || response.destroyed) return;
  const text = gateResponse.body === undefined ? '' : jsonLine(gateResponse.body);
  if (hasLongUnreadBody(request)) closeIfUnread(response, Infinity);
  response.writeHead(gateResponse.status, {
    ...commonHeaders,
    ...(text !== '' && { 'content-type': 'application/json' }),
    ...(gateResponse.status !== 204 && { 'content-length': Buffer.byteLength(text) }),
    ...gateResponse.headers,
  });
  response.end(text);
}

function hasLongUnreadBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > smallBytes
  );
}
