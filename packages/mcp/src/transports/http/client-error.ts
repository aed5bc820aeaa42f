/** Responses to requests that Node.js rejects while parsing, before the gate. */
import { maxHeaderSize } from 'node:http';
import { Socket } from 'node:net';
import { endWith } from '@gatehouse/http';
import { refusal } from '../gate/exchange.ts';

const responses: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `the headers may have ${maxHeaderSize} bytes in total`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
};
const unreadable = ['400 Bad Request', 'this is not HTTP/1.1'] as const;

/** Responds with a JSON-RPC error, like every rejection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: unknown): void {
  if (!(socket instanceof Socket)) return;
  const [status, reason] = responses[error.code ?? ''] ?? unreadable;
  const message = `${status.slice(4)}: ${reason}.`;
  const body = JSON.stringify(refusal(400, message).body);
  endWith(
    socket,
    () =>
      `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}
