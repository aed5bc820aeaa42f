/** An answer to a request whose body nobody will read. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds that a sender has to receive the answer before the connection closes. */
export const linger = 1_000;

/** Bytes of an unread body that are taken and thrown away meanwhile. */
const discardLimit = 1024 * 1024;

/** Whether a request has a body by its headers (RFC 9112, section 6.3). */
export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Call it before an answer is written. Where part of the request is still unread, the connection closes with the
 * answer. Closing a connection with unread bytes resets it, and the reset may overtake the answer. So the answer
 * ends only after the rest of the request was read and discarded, for at most {@link linger} and
 * {@link discardLimit}.
 */
export function closeIfUnread(response: ServerResponse): void {
  const { req: request } = response;
  // Node leaves `complete` false while a handler runs, even for a request without a body.
  if (request.complete || !declaresBody(request)) return;
  response.setHeader('connection', 'close');
  const end = response.end.bind(response);
  response.end = (chunk?: unknown) => {
    // Flushed at once: if the rest is malformed, the parser closes the connection within this turn.
    response.cork();
    // Node holds the headers of a HEAD answer back until its end.
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

/** Answers that were sent in full while the rest of the request is still being read. */
const heard = new WeakSet<ServerResponse>();

/** Whether the whole answer was sent, even if the visitor left before sending the whole request. */
export function isAnswered(response: ServerResponse): boolean {
  return response.writableFinished || heard.has(response);
}
