/** Sends a response of the internal API, whole or altered by a fault. */
import type { ServerResponse } from 'node:http';

import {
  eventOf,
  eventsType,
  headersOf,
  newsEveryMs,
  wholeOf,
  type EventsResponse,
  type OperationResponse,
} from '../responses.ts';
import type { Fault } from './faults.ts';

export interface Delivery {
  /** Creates the real response; not called for a fault that sends none. */
  respond: () => OperationResponse | EventsResponse;
  /** Whether a listener's session has ended, which ends the stream of events. Default: never. */
  isOver?: () => boolean;
  /** Called just before the last byte of a whole response, so that no other call can overtake it. */
  beforeEnd: (status: number) => void;
}

/** Answers a call. Resolves when there is nothing more to send; the caller may have disconnected by then. */
export async function deliver(
  response: ServerResponse,
  fault: Fault | null,
  { respond, isOver = () => false, beforeEnd }: Delivery,
): Promise<void> {
  const send = (whole: OperationResponse): void => {
    response.writeHead(whole.status, headersOf(whole));
    beforeEnd(whole.status);
    response.end(whole.body);
  };

  const proceed = async (): Promise<void> => {
    const made = respond();
    if (!('news' in made)) {
      send(made);
      return;
    }
    response.writeHead(200, { 'content-type': eventsType });
    response.flushHeaders();
    do {
      for (const value of made.news()) response.write(eventOf(value));
    } while ((await outlasts(response, newsEveryMs)) && !isOver());
    response.end();
  };

  switch (fault?.kind) {
    case undefined:
      await proceed();
      break;
    case 'status':
      send({ ...fault, body: Buffer.from(fault.body) });
      break;
    case 'delay':
      if (await outlasts(response, fault.ms)) await proceed();
      break;
    case 'drip': {
      const whole = wholeOf(respond());
      response.writeHead(whole.status, headersOf(whole));
      response.flushHeaders();
      for (let sent = 0; sent < whole.body.length; sent += fault.chunkBytes) {
        if (!(await outlasts(response, fault.everyMs))) return;
        response.write(whole.body.subarray(sent, sent + fault.chunkBytes));
      }
      beforeEnd(whole.status);
      response.end();
      break;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
      break;
    case 'idle_close':
    case 'unreachable':
      response.socket?.destroy();
      break;
    case 'truncated': {
      const whole = wholeOf(respond());
      response.writeHead(whole.status, headersOf(whole));
      const half = whole.body.subarray(0, Math.floor(whole.body.length / 2));
      await new Promise<void>((sent) => {
        response.once('close', sent);
        response.write(half, () => {
          sent();
        });
      });
      response.socket?.destroy();
      break;
    }
    case 'redirect':
      send({
        status: fault.status,
        contentType: 'text/plain',
        headers: { location: fault.location },
        body: Buffer.from('Moved.'),
      });
      break;
    case 'oversized': {
      const [opening, closing] = ['{"filler":"', '"}'];
      const filler = Math.max(0, fault.bytes - opening.length - closing.length);
      send({
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(opening + 'x'.repeat(filler) + closing),
      });
      break;
    }
    case 'bad_json':
      send({
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(fault.body),
      });
      break;
    case 'content_type':
      send({ ...wholeOf(respond()), contentType: fault.contentType });
      break;
  }
}

/** Waits, and returns false if the caller disconnects first. */
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
