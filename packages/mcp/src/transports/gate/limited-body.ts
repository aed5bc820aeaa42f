/** Reads a request body up to a maximum size and parses it as JSON. */
import type { IncomingMessage } from 'node:http';
import { refusalOf } from '../messages/incoming.ts';
import { parseJson, textOf } from '../messages/json-text.ts';
import { refusal, type Middleware } from './exchange.ts';

/** @param maxBytes A larger body is rejected by its `Content-Length`, or as soon as it exceeds the limit. */
export function readBody(maxBytes: number): Middleware {
  const tooLarge = refusal(
    413,
    `Payload Too Large: a body may have ${maxBytes} bytes (MCP_MAX_BODY_BYTES).`,
  );
  return async (exchange) => {
    const { request } = exchange;
    if (request.method !== 'POST') return undefined;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
    const bytes = await readBytes(request, maxBytes);
    if (bytes === undefined) return tooLarge;
    const parsed = parseJson(textOf(bytes));
    if ('fault' in parsed) return { status: 400, body: refusalOf(parsed.fault) };
    exchange.body = parsed.value;
    return undefined;
  };
}

/** Returns the body, or undefined if it is too large. Never settles if the caller disconnects. */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let size = 0;
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) resolve(undefined);
        else chunks.push(chunk);
      })
      .once('end', () => {
        resolve(Buffer.concat(chunks));
      });
  });
}
