/** The server's own responses: short JSON, inert, uncacheable, with the request id. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { closeIfUnread } from '@gatehouse/http';
import type { ServerSettings } from '../site.ts';
import { headersFor } from '../responses/headers.ts';
import type { Refusal } from './request-checks.ts';

export function refuse(
  response: ServerResponse,
  env: ServerSettings,
  requestId: string,
  { status, error, headers }: Refusal,
): void {
  response.setHeader('x-request-id', requestId);
  sendJson(response, env, status, { error }, headers);
}

/** A short response of the server's own, such as its health. */
export function sendJson(
  response: ServerResponse,
  env: ServerSettings,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const fields = { ...headersFor({ kind: 'resource', env }), ...headers, ...json };
  for (const [name, field] of Object.entries(fields)) response.setHeader(name, field);
  const body = Buffer.from(JSON.stringify(value));
  response.setHeader('content-length', body.length);
  closeIfUnread(response);
  response.writeHead(status);
  response.end(body);
}

/** A rejection as raw HTTP, for a request that Node could not parse. */
export function refusalText(
  env: ServerSettings,
  requestId: string,
  { status, error }: Refusal,
): string {
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
