/** Responses to requests that Node.js rejects while parsing, before the gate. */
import { maxHeaderSize, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { errorCode, lingerMilliseconds, refusal } from '../gate/exchange.ts';

const answers: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `the headers may have ${maxHeaderSize} bytes in total`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};
const unreadable = ['400 Bad Request', 'this is not HTTP/1.1'] as const;

/** Responds with a JSON-RPC error, like every rejection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: unknown): void {
  if (!(socket instanceof Socket) || !socket.writable) return;
  // As in Node.js itself: writing would corrupt the response to an earlier request that is in progress.
  if ((socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, reason] = answers[error.code ?? ''] ?? unreadable;
  const message = `${status.slice(4)}: ${reason}.`;
  const body = JSON.stringify(refusal(400, errorCode.refused, message).body);
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  // Node.js no longer enforces its own timeouts on this socket.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
