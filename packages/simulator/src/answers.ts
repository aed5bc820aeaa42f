/** The responses that an operation of the platform can return. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import parseRange from 'range-parser';

export interface Answer {
  status: number;
  contentType: string | null;
  body: Buffer;
  headers?: Record<string, string>;
}

/** Server-sent events, sent for as long as the caller listens and its session is valid. */
export interface EventsAnswer {
  /**
   * Returns what has happened since the previous call. Polled a few times a second; each item becomes an
   * event, as JSON.
   */
  news: () => unknown[];
}

/** A JSON response. */
export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** Turns a stream of events into a response that ends, with all events so far. */
export function wholeOf(answer: Answer | EventsAnswer): Answer {
  if (!('news' in answer)) return answer;
  const body = Buffer.from(answer.news().map(eventOf).join(''));
  return { status: 200, contentType: eventsType, body };
}

export const eventsType = 'text/event-stream';

/** An event in the wire format of server-sent events. */
export function eventOf(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A file, or the byte range of it that the request's headers ask for. */
export function fileAnswer(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  contentType: string,
  body: Buffer,
): Answer {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const own = { 'accept-ranges': 'bytes', etag };
  const isCurrent = ifRange === undefined || ifRange === etag;
  // The library refuses a suffix that is longer than the file, which is all of it (RFC 9110, section 14.1.2).
  const spelled = range?.replace(/^bytes=-(\d+)$/, (suffix, length: string) =>
    Number(length) > body.length ? 'bytes=0-' : suffix,
  );
  const parts = spelled && isCurrent ? parseRange(body.length, spelled) : -2;
  if (parts === -1) {
    const refusal = jsonAnswer(416, {
      error: 'no_such_range',
      message: 'The range starts after the end of the file.',
    });
    return { ...refusal, headers: { 'content-range': `bytes */${body.length}` } };
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
