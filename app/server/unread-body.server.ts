/** An answer to a request whose body nobody will read. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds that a sender has to hear the answer, before the connection is gone. */
export const linger = 1_000;

/** Bytes of an unread body that are taken and thrown away meanwhile. */
const discardLimit = 1024 * 1024;

/** Whether a request has a body by its headers (RFC 9112, section 6.3). */
export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * To be called before an answer is written. Where part of the request is still unread, the connection
 * closes with the answer. A connection that is closed on bytes nobody has read is reset, and the reset may
 * overtake the answer: so the end of the answer waits while the rest of the request is read, for
 * {@link linger} and up to {@link discardLimit}.
 */
export function closeIfUnread(response: ServerResponse): void {
  const { req: request } = response;
  // Node leaves `complete` false while a handler runs, even for a request without a body.
  if (request.complete || !declaresBody(request)) return;
  response.setHeader('connection', 'close');
  const end = response.end.bind(response);
  response.end = (chunk?: unknown) => {
    // Out at once: a malformed rest ends the connection within this turn.
    response.cork();
    // Node sends no header of a HEAD before its end.
    response.flushHeaders();
    response.write(chunk instanceof Uint8Array ? chunk : '', (error) => {
      if (!error) heard.add(response);
    });
    response.uncork();
    const timer = setTimeout(end, linger);
    response.once('close', () => {
      clearTimeout(timer);
    });
    let discarded = 0;
    request
      .once('end', () => end())
      .on('data', ({ length }: Buffer) => {
        discarded += length;
        if (discarded > discardLimit) end();
      })
      .resume();
    return response;
  };
}

/** Answers that are out in full, while the rest of the request is still read. */
const heard = new WeakSet<ServerResponse>();

/** Whether the whole answer went out, to a visitor who may have left before the request was whole. */
export function isAnswered(response: ServerResponse): boolean {
  return response.writableFinished || heard.has(response);
}
