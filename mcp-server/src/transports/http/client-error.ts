/** Responses to requests that Node.js rejects while parsing, before the gate. */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { errorCode, lingerMilliseconds, refusal } from '../gate/exchange.ts';

const statusOfError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Responds with a JSON-RPC error, like every rejection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: unknown): void {
  if (!(socket instanceof Socket) || !socket.writable) return;
  // As in Node.js itself: writing would corrupt the response to an earlier request that is in progress.
  if ((socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const status = statusOfError[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(refusal(400, errorCode.refused, `${status.slice(4)}.`).body);
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  // Node.js no longer enforces its own timeouts on this socket.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
