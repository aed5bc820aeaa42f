/** The listener on a port, with Remix and the files left to the test. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppLoadContext } from '@remix-run/node';
import { afterAll, beforeEach } from 'vitest';
import { answerRequests, createHttpServer } from '../src/connections/http-server';
import { createListener, type ListenerOptions } from '../src/listener/listener';
import type { MatchedRoute } from '../src/remix/answer-with-remix';
import type { RouteHandle } from '../src/route';
import type { ServerSettings, Site } from '../src/site';
import { lines } from './log-double';

interface World extends Pick<ListenerOptions, 'assets'> {
  /** What stands for Remix. */
  remix: MatchedRoute['answer'];
  /** What the routes say of themselves. */
  handle: RouteHandle;
  /** Real routes, in place of the two. */
  match: ListenerOptions['match'] | null;
  isLogged: NonNullable<Site['isLogged']>;
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

export const settings: ServerSettings = {
  mode: 'production',
  port: 0,
  host: '127.0.0.1',
  siteOrigin: 'https://site.example',
  frameAncestors: ['https://platform.example'],
  logLevel: 'debug',
  maxConnections: 1_000,
  shutdownDelay: 0,
};

export const isResource = (pathname: string) => /^\/api(\/|$)/i.test(decodeURIComponent(pathname));

/** Call it once, at the top of a test file that has the log's double. Each test starts anew. */
export async function startListeningSite() {
  const asked: { requestId: string }[] = [];
  /** Contexts in which the route asked who the visitor is. */
  const identified = new WeakSet<object>();
  const site: Omit<Site, 'settings'> = {
    isResource,
    hasAskedIdentity: (context) => identified.has(context),
    relay: {
      path: '/api/user',
      answer(_visitor, requestId) {
        asked.push({ requestId });
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        return Promise.resolve({ status: 200, headers, body: Buffer.from('{"name":"Ada"}') });
      },
    },
  };
  beforeEach(() => {
    asked.length = 0;
  });
  return { relayed: asked, identified, ...(await startListener(site, settings)) };
}

/** The same for a site of the caller's. */
export async function startListener(site: Omit<Site, 'settings'>, env: ServerSettings) {
  const fresh = (): World => ({
    handle: {},
    match: null,
    isLogged: site.isLogged ?? (() => false),
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
      ...site,
      isLogged: (error) => world.isLogged(error),
      env,
      assets: (...exchange) => {
        world.assets(...exchange);
      },
      match: async (url) => {
        const real = await world.match?.(url);
        return {
          handle: real?.handle ?? world.handle,
          answer: async (request, context) => {
            const body = world.readsBody && !real ? await request.clone().text() : '';
            world.seen.push({ request, context, body });
            return (real?.answer ?? world.remix)(request, context);
          },
        };
      },
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

  return { server, port, world, ask };
}
