/** What Node refuses before it becomes a request, and so before the gate. */
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { errorCode, lingerMilliseconds, refusal } from '../gate/exchange.ts';

const statusOfError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** In the shape of every refusal. */
export function answerClientError(error: NodeJS.ErrnoException, socket: unknown): void {
  if (!(socket instanceof Socket) || !socket.writable) return;
  // As Node itself does: the answer to an earlier request is under way, and this is no part of it.
  if ((socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const status = statusOfError[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(refusal(400, errorCode.refused, `${status.slice(4)}.`).body);
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  // A caller that goes on all the same is Node's no more: none of its own limits ends it.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}
