/** The responses that an operation of the platform can return. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import parseRange from 'range-parser';

export interface OperationResponse {
  status: number;
  contentType: string | null;
  body: Buffer;
  headers?: Record<string, string>;
}

/** Server-sent events, sent for as long as the caller listens and its session is valid. */
export interface EventsResponse {
  /**
   * Returns what has happened since the previous call. Polled a few times a second; each item becomes an
   * event, as JSON.
   */
  news: () => unknown[];
}

/** Milliseconds between two polls of `news`. */
export const newsEveryMs = 200;

/** A JSON response. */
export function jsonResponse(status: number, value: unknown): OperationResponse {
  return { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** A failure: the platform's own code, and a message that a site must not pass on. */
export function errorResponse(status: number, error: string, message: string): OperationResponse {
  return jsonResponse(status, { error, message });
}

/** The response of an operation that has been carried out and has nothing to return. */
export const noContent: OperationResponse = {
  status: 204,
  contentType: null,
  body: Buffer.alloc(0),
};

/** Turns a stream of events into a response that ends, with all events so far. */
export function wholeOf(response: OperationResponse | EventsResponse): OperationResponse {
  if (!('news' in response)) return response;
  const body = Buffer.from(response.news().map(eventOf).join(''));
  return { status: 200, contentType: eventsType, body };
}

export const eventsType = 'text/event-stream';

/** An event in the wire format of server-sent events. */
export function eventOf(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** The headers that describe a response and its body. */
export function headersOf({
  status,
  contentType,
  body,
  headers,
}: OperationResponse): Record<string, string> {
  const hasBody = status !== 204 && status !== 304;
  return {
    ...(contentType !== null && { 'content-type': contentType }),
    ...(hasBody && { 'content-length': String(body.length) }),
    ...headers,
  };
}

/**
 * A file, or the byte range of it that the request's headers ask for.
 *
 * @param digest identifies the bytes, where it is known: computing it blocks the process for a large file.
 */
export function fileResponse(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  contentType: string,
  body: Buffer,
  digest = createHash('sha256').update(body).digest('base64url'),
): OperationResponse {
  const etag = `"${digest}"`;
  const own = { 'accept-ranges': 'bytes', etag };
  const isCurrent = ifRange === undefined || ifRange === etag;
  // The library refuses a suffix that is longer than the file, which is all of it (RFC 9110, section 14.1.2).
  const spelled = range?.replace(/^bytes=-(\d+)$/, (suffix, length: string) =>
    Number(length) > body.length ? 'bytes=0-' : suffix,
  );
  const parts = spelled && isCurrent ? parseRange(body.length, spelled) : -2;
  if (parts === -1) {
    return {
      ...errorResponse(416, 'no_such_range', 'The range starts after the end of the file.'),
      headers: { 'content-range': `bytes */${body.length}` },
    };
  }
  const part = parts === -2 || parts.length > 1 ? undefined : parts[0];
  if (!part) return { status: 200, contentType, body, headers: own };
  return {
    status: 206,
    contentType,
    body: body.subarray(part.start, part.end + 1),
    headers: { ...own, 'content-range': `bytes ${part.start}-${part.end}/${body.length}` },
  };
}
