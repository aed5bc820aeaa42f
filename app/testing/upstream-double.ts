// auth: platform
/** The platform's internal API for tests: answers as it is told, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import parseRange from 'range-parser';
import { afterAll, beforeEach, vi } from 'vitest';

export interface UpstreamRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** How the exchange ended: answered in full, or cut by whoever asked. */
  ended: Promise<'answered' | 'cut'>;
}

/** What the double does with a request. */
export type Reply = (response: ServerResponse, request: UpstreamRequest) => void;

export interface UpstreamDouble {
  /** What `PLATFORM_INTERNAL_URL` is set to. */
  url: string;
  /** All that was asked since the last {@link UpstreamDouble.forget}. */
  requests: UpstreamRequest[];
  /** Answers a path (its query left out), or every path that has no reply of its own: `*`. */
  on(path: string, reply: Reply): void;
  /** The requests for one path, its query left out. */
  to(path: string): UpstreamRequest[];
  /** The next request to come. */
  next(): Promise<UpstreamRequest>;
  /** Back to the start: nothing asked, every path a 404. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * The platform that the site's settings name, for the whole of a test file: call it once, at the top.
 * Between tests it forgets.
 */
export async function startPlatformDouble(): Promise<UpstreamDouble> {
  const platform = await startUpstream();
  vi.stubEnv('PLATFORM_INTERNAL_URL', platform.url);
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

/** A file as most servers give it: whole, or the part that is asked for. */
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

/** Writes to the connection as it is: for answers that a well-behaved server would not give. */
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

/** Answers never. */
export const hang: Reply = () => undefined;

/** Closes the connection without a word. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** Headers and a first part at once; the rest never comes. */
export const drip: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"id":');
};

function pathOf(request: UpstreamRequest): string {
  return request.path.split('?', 1)[0] ?? '';
}
