/**
 * Sends an answer of the internal API, whole or spoilt by a fault.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import parseRange from 'range-parser';

import type { Fault } from './faults';

export interface Answer {
  status: number;
  contentType: string | null;
  body: Buffer;
  headers?: Record<string, string>;
}

export interface Delivery {
  /** Makes the true answer; not called by a fault that never gets so far. */
  answer: () => Answer;
  /** Called just before the last byte of a whole answer, so that nothing can overtake it. */
  beforeEnd: (status: number) => void;
}

/** An answer as JSON. */
export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, contentType: 'application/json', body: Buffer.from(JSON.stringify(value)) };
}

/** A file, or the part of it that the request's headers ask for. */
export function fileAnswer(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  contentType: string,
  body: Buffer,
): Answer {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const own = { 'accept-ranges': 'bytes', etag };
  const isCurrent = ifRange === undefined || ifRange === etag;
  const parts = range && isCurrent ? parseRange(body.length, range) : -2;
  if (parts === -1) {
    const refusal = jsonAnswer(416, { error: 'no_such_range', message: 'The file ends before.' });
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

/**
 * Answers a call. Resolves when there is no more to send; the caller may be gone by then.
 *
 * @returns false when the fault cut the call short.
 */
export async function deliver(
  response: ServerResponse,
  fault: Fault | null,
  { answer, beforeEnd }: Delivery,
): Promise<boolean> {
  const send = (whole: Answer): boolean => {
    writeHead(response, whole);
    beforeEnd(whole.status);
    response.end(whole.body);
    return true;
  };

  switch (fault?.kind) {
    case undefined:
      return send(answer());
    case 'status':
      return send({ ...fault, body: Buffer.from(fault.body) });
    case 'delay':
      if (await outlasts(response, fault.ms)) return send(answer());
      return true;
    case 'drip': {
      const whole = answer();
      writeHead(response, whole);
      response.flushHeaders();
      for (let sent = 0; sent < whole.body.length; sent += fault.chunkBytes) {
        if (!(await outlasts(response, fault.everyMs))) return true;
        response.write(whole.body.subarray(sent, sent + fault.chunkBytes));
      }
      beforeEnd(whole.status);
      response.end();
      return true;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
      return false;
    case 'unreachable':
      response.socket?.destroy();
      return false;
    case 'truncated': {
      const whole = answer();
      writeHead(response, whole);
      const half = whole.body.subarray(0, Math.floor(whole.body.length / 2));
      await new Promise<void>((sent) => {
        response.once('close', sent);
        response.write(half, () => {
          sent();
        });
      });
      response.socket?.destroy();
      return false;
    }
    case 'redirect':
      return send({
        status: fault.status,
        contentType: 'text/plain',
        headers: { location: fault.location },
        body: Buffer.from('Moved.'),
      });
    case 'oversized': {
      const [opening, closing] = ['{"filler":"', '"}'];
      const filler = Math.max(0, fault.bytes - opening.length - closing.length);
      return send({
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(opening + 'x'.repeat(filler) + closing),
      });
    }
    case 'bad_json':
      return send({
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(fault.body),
      });
    case 'content_type':
      return send({ ...answer(), contentType: fault.contentType });
  }
}

function writeHead(response: ServerResponse, { status, contentType, body, headers }: Answer): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, {
    ...(contentType === null ? {} : { 'content-type': contentType }),
    ...(hasBody ? { 'content-length': body.length } : {}),
    ...headers,
  });
}

/** Waits, unless the caller leaves first. */
function outlasts(response: ServerResponse, ms: number): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const left = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      response.off('close', left);
      resolve(true);
    }, ms);
    response.once('close', left);
  });
}
