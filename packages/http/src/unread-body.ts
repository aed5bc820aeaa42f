/** Responses to requests whose body is not read completely. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connection } from './upgrades.ts';

/** Milliseconds for the client to receive the response before the connection closes. */
export const linger = 1_000;

/** Bytes of an unread body to read and discard in the meantime. */
const usualDiscard = 1024 * 1024;

/** Whether the headers declare a body (RFC 9112, section 6.3). */
export function declaresBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Call this before writing a response. If part of the request is unread, the connection closes after the
 * response. Closing a connection with unread bytes resets it, and the reset may overtake the response. So the
 * response ends only after the rest of the request was read and discarded, for at most {@link linger}.
 *
 * @param mostBytes to discard. `Infinity` also for clients that read only once they have sent everything.
 */
export function closeIfUnread(response: ServerResponse, mostBytes = usualDiscard): void {
  const { req: request } = response;
  // Node leaves `complete` false while a handler runs, even for a request without a body.
  if (request.complete || !declaresBody(request)) return;
  response.setHeader('connection', 'close');
  const end = response.end.bind(response);
  response.end = (chunk?: unknown, encoding?: unknown) => {
    // Flushed synchronously: if the rest is malformed, the parser closes the connection within this tick.
    response.cork();
    // Node would hold back the headers of a HEAD response until its end.
    response.flushHeaders();
    const body = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : '';
    response.write(body, (encoding ?? 'utf8') as BufferEncoding, (error) => {
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
        if (discarded > mostBytes) end();
      })
      .resume();
    return response;
  };
}

/**
 * Answers a request that Node's parser rejected: for `clientError`.
 *
 * @param text creates the response, with its head. Not called if none can be sent.
 */
export function endWith(socket: Connection, text: () => string): void {
  // Anything sent after the rejection raises another error.
  if (socket.writableEnded) return;
  // A response that has begun must not be followed by another one.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(text());
  // Destroying it immediately would send a reset, which may overtake the response to a client that is still
  // writing. Node no longer enforces its own timeouts on this socket.
  const timer = setTimeout(() => socket.destroy(), linger);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.once('end', () => socket.destroy());
}

/** Responses that were sent completely while the request is still being read. */
const heard = new WeakSet<ServerResponse>();

/**
 * Whether the response was sent completely, even if the client disconnected before sending all of the
 * request.
 */
export function isFullySent(response: ServerResponse): boolean {
  return response.writableFinished || heard.has(response);
}
