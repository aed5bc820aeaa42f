/** An HTTP service for tests: sends configured replies and records the requests. */
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface UpstreamRequest {
  readonly method: string;
  /** The request target, with the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves if the client disconnects before the response is complete. */
  readonly cut: Promise<void>;
}

/** Responds to a request. */
export type Reply = (response: ServerResponse, request: UpstreamRequest) => void;

export interface UpstreamDouble {
  readonly url: string;
  readonly requests: UpstreamRequest[];
  /** Sets one reply for each following request; the last one repeats. */
  reply(...replies: readonly [Reply, ...Reply[]]): void;
  /** Resolves with the next request. */
  next(): Promise<UpstreamRequest>;
  close(): Promise<void>;
}

/** @param tls A key and its certificate, for https. */
export async function startUpstreamDouble(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<UpstreamDouble> {
  let replies: readonly Reply[] = [];
  let responded = 0;
  const requests: UpstreamRequest[] = [];
  const waiting: ((request: UpstreamRequest) => void)[] = [];

  const listener: RequestListener = (incoming, response) => {
    const cut = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString(), cut };
      requests.push(request);
      for (const resolve of waiting.splice(0)) resolve(request);
      const reply = replies[Math.min(responded, replies.length - 1)] ?? json({}, 404);
      responded += 1;
      reply(response, request);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    reply(...given) {
      replies = given;
      responded = 0;
      requests.length = 0;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return bytes(JSON.stringify(value), status, { 'content-type': 'application/json', ...headers });
}

export function bytes(
  body: string | Uint8Array,
  status = 200,
  headers: Record<string, string> = {},
): Reply {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Writes raw bytes to the connection, for responses that a correct server would not send. */
export function raw(text: string, ending: 'close' | 'reset' = 'close'): Reply {
  return ({ socket }) => {
    socket?.write(text, () => {
      if (ending === 'close') socket.end();
      else socket.resetAndDestroy();
    });
  };
}

/** Never responds. */
export const hang: Reply = () => undefined;

/** Closes the connection without a response. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** Sends headers and the first bytes at once, then one byte at intervals, endlessly. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"drip":"');
  const timer = setInterval(() => response.write('.'), 20);
  response.once('close', () => {
    clearInterval(timer);
  });
};

/** Sends data until the connection closes. */
export const endless =
  (status = 200): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };

/** Returns a URL that refuses connections: its port was free a moment ago. */
export async function refusingUrl(): Promise<string> {
  const double = await startUpstreamDouble();
  await double.close();
  return double.url;
}
