/** A double of the platform's internal API: sends the replies it is given, and records requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import parseRange from 'range-parser';
import { afterAll, beforeEach } from 'vitest';

export interface UpstreamRequest {
  method: string;
  /** Including the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** How the exchange ended: answered completely, or aborted by the client. */
  ended: Promise<'answered' | 'cut'>;
}

/** Handles a request. */
export type Reply = (response: ServerResponse, request: UpstreamRequest) => void;

export interface UpstreamDouble {
  /** The internal address. */
  url: string;
  /** All requests since the last {@link UpstreamDouble.forget}. */
  requests: UpstreamRequest[];
  /** Sets the reply for a path without its query, or, with `*`, for all other paths. */
  on(path: string, reply: Reply): void;
  /** The requests for a path, ignoring queries. */
  to(path: string): UpstreamRequest[];
  /** Resolves with the next request. */
  next(): Promise<UpstreamRequest>;
  /** Resets: no requests, and every path a 404. */
  forget(): void;
  close(): Promise<void>;
}

/** For a whole test file: call it once at the top. Reset between tests. */
export async function startPlatformDouble(): Promise<UpstreamDouble> {
  const platform = await startUpstream();
  beforeEach(() => {
    platform.forget();
  });
  afterAll(() => platform.close());
  return platform;
}

export async function startUpstream(): Promise<UpstreamDouble> {
  const replies = new Map<string, Reply>();
  const waiting: ((request: UpstreamRequest) => void)[] = [];
  const requests: UpstreamRequest[] = [];
  const missing = json(404, { error: 'the double has no such path' });

  const server = createServer((incoming, response) => {
    const ended = new Promise<'answered' | 'cut'>((resolve) => {
      response.once('close', () => {
        resolve(response.writableFinished ? 'answered' : 'cut');
      });
    });
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request: UpstreamRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString(),
        ended,
      };
      requests.push(request);
      for (const resolve of waiting.splice(0)) resolve(request);
      const reply = replies.get(pathOf(request)) ?? replies.get('*') ?? missing;
      reply(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    on: (path, reply) => void replies.set(path, reply),
    to: (path) => requests.filter((request) => pathOf(request) === path),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    forget() {
      replies.clear();
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export function json(
  status: number,
  value: unknown,
  headers: Record<string, string | string[]> = {},
): Reply {
  return bytes(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

export function bytes(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string | string[]> = {},
): Reply {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Serves a file with range support, as most servers do. */
export function file(whole: Buffer, headers: Record<string, string> = {}): Reply {
  return (response, request) => {
    const { range = '', 'if-range': validator } = request.headers;
    const isCurrent = validator === undefined || validator === headers['etag'];
    const part = isCurrent && range ? parseRange(whole.length, range) : -2;
    const own = { 'accept-ranges': 'bytes', ...headers };
    if (part === -1) {
      response.writeHead(416, { 'content-range': `bytes */${whole.length}` }).end();
    } else if (part === -2) {
      response.writeHead(200, { ...own, 'content-length': whole.length }).end(whole);
    } else {
      const { start, end } = part[0] ?? { start: 0, end: 0 };
      const bytes = whole.subarray(start, end + 1);
      const contentRange = `bytes ${start}-${end}/${whole.length}`;
      response.writeHead(206, {
        ...own,
        'content-range': contentRange,
        'content-length': bytes.length,
      });
      response.end(bytes);
    }
  };
}

/** Writes raw bytes to the connection, for responses that a well-behaved server would not send. */
export function raw(
  text: string | Uint8Array,
  ending: 'close' | 'reset' | 'stay' = 'close',
): Reply {
  return (response) => {
    const { socket } = response;
    socket?.write(text, () => {
      if (ending === 'close') socket.end();
      if (ending === 'reset') socket.resetAndDestroy();
    });
  };
}

/** Never responds. */
export const hang: Reply = () => undefined;

/** Resets the connection. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** Sends headers and a first chunk, then stalls. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};

function pathOf(request: UpstreamRequest): string {
  return request.path.split('?', 1)[0] ?? '';
}
