/** The listener on a port, with Remix and the files left to the test, on a double of the platform. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppLoadContext } from '@remix-run/node';
import { afterAll, beforeEach, vi } from 'vitest';
import type { RouteHandle } from '~/route-handle';
import { siteEnv } from '~/env.server';
import { answerRequests, createHttpServer } from '~/server/http-server.server';
import { createListener, type ListenerOptions } from '~/server/listener.server';
import { lines } from './log-double';
import { startPlatformDouble } from './upstream-double';

interface World extends Pick<ListenerOptions, 'remix' | 'assets'> {
  /** What the routes say of themselves. */
  handle: RouteHandle | ((url: URL) => RouteHandle | Promise<RouteHandle>);
  ready: boolean;
  /** Whether what stands for Remix reads the request's body before it answers. */
  readsBody: boolean;
  /** What reached Remix. */
  seen: { request: Request; context: AppLoadContext; body: string }[];
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sent without a length. */
  chunked?: boolean;
}

/** What a browser says of a request that the site's own page makes. */
export const ours = { 'sec-fetch-site': 'same-origin' };

/** The headers of every short answer of the server's own. */
export const inert = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; sandbox; frame-ancestors https://platform.example",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Call it once, at the top of a test file that has the log's double. Each test starts anew. */
export async function startListeningSite() {
  const platform = await startPlatformDouble();
  vi.stubEnv('SITE_ORIGIN', 'https://site.example');
  vi.stubEnv('PLATFORM_FRAME_ANCESTORS', 'https://platform.example');
  const env = siteEnv();

  const fresh = (): World => ({
    handle: {},
    readsBody: true,
    ready: true,
    seen: [],
    remix: () => Promise.resolve(new Response('from remix')),
    assets: (_request, _response, next) => {
      next();
    },
  });
  const world = fresh();

  const server = createHttpServer(env);
  answerRequests(
    server,
    createListener({
      env,
      assets: (...exchange) => {
        world.assets(...exchange);
      },
      remix: async (request, context) => {
        const body = world.readsBody ? await request.clone().text() : '';
        world.seen.push({ request, context, body });
        return world.remix(request, context);
      },
      routeHandle: (url) => (typeof world.handle === 'function' ? world.handle(url) : world.handle),
      isReady: () => world.ready,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  beforeEach(() => {
    lines.length = 0;
    Object.assign(world, fresh());
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Asks as no browser must: the target goes out as it is written. */
  const ask = (target: string, { method = 'GET', headers = {}, body, chunked }: Ask = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const length =
        body !== undefined && !chunked ? { 'content-length': Buffer.byteLength(body) } : {};
      const asked = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: target,
          method,
          headers: { ...length, ...headers },
          agent: false,
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const { statusCode: status = 0, headers } = answer;
            resolve({ status, headers, body: Buffer.concat(chunks).toString() });
          });
        },
      );
      asked.on('error', reject);
      if (chunked) asked.write(body);
      asked.end(chunked ? undefined : body);
    });

  return { platform, server, port, env, world, ask };
}
