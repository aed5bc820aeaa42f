/** The listener on a port, with Remix and static files replaced by the test. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach } from 'vitest';
import { handleRequests, createHttpServer } from '../connections/http-server.ts';
import { createListener, type ListenerOptions } from '../listener/listener.ts';
import type { MatchedRoute } from '../framework.ts';
import { remix } from '../framework/remix/index.ts';
import type { RequestContext } from '../requests/request-context.ts';
import type { RouteHandle } from '../route.ts';
import type { ServerSettings, Site } from '../site.ts';
import { lines } from './log-double.ts';

interface Doubles extends Pick<ListenerOptions, 'assets'> {
  /** Replaces Remix. */
  remix: MatchedRoute['respond'];
  /** The routes' handle. */
  handle: RouteHandle;
  /** Real routes instead of the two above. */
  match: ListenerOptions['match'] | null;
  isLogged: NonNullable<Site['isLogged']>;
  ready: boolean;
  /** Whether the replacement for Remix reads the request body before it responds. */
  readsBody: boolean;
  /** The requests that reached Remix. */
  seen: { request: Request; context: RequestContext; body: string }[];
}

export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sent with chunked encoding, without a length. */
  chunked?: boolean;
}

/** The header that browsers send for requests of the site's own pages. */
export const ours = { 'sec-fetch-site': 'same-origin' };

/** The headers of the server's own short responses. */
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

/** Call once at the top of a test file that mocks the log. State is reset before each test. */
export async function startListeningSite() {
  const relayed: { requestId: string }[] = [];
  /** Contexts in which the guard ran. */
  const identified = new WeakSet<object>();
  const site: Omit<Site, 'settings'> = {
    framework: remix,
    isResource,
    hasCheckedIdentity: (context) => identified.has(context),
    relay: {
      path: '/api/user',
      respond(_visitor, requestId) {
        relayed.push({ requestId });
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
        return Promise.resolve({ status: 200, headers, body: Buffer.from('{"name":"Ada"}') });
      },
    },
  };
  beforeEach(() => {
    relayed.length = 0;
  });
  return { relayed, identified, ...(await startListener(site, settings)) };
}

/** The same for a given site. */
export async function startListener(site: Omit<Site, 'settings'>, env: ServerSettings) {
  const fresh = (): Doubles => ({
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
  const doubles = fresh();

  const server = createHttpServer(env);
  handleRequests(
    server,
    createListener({
      ...site,
      isLogged: (error) => doubles.isLogged(error),
      env,
      assets: (...exchange) => {
        doubles.assets(...exchange);
      },
      match: async (url) => {
        const real = await doubles.match?.(url);
        return {
          handle: real?.handle ?? doubles.handle,
          respond: async (request, context) => {
            const body = doubles.readsBody && !real ? await request.clone().text() : '';
            doubles.seen.push({ request, context, body });
            return (real?.respond ?? doubles.remix)(request, context);
          },
        };
      },
      isReady: () => doubles.ready,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  beforeEach(() => {
    lines.length = 0;
    Object.assign(doubles, fresh());
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Sends a request with the target exactly as given, which browsers would normalise. */
  const send = (
    target: string,
    { method = 'GET', headers = {}, body, chunked }: RequestOptions = {},
  ) =>
    new Promise<ReceivedResponse>((resolve, reject) => {
      const length =
        body !== undefined && !chunked ? { 'content-length': Buffer.byteLength(body) } : {};
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: target,
          method,
          headers: { ...length, ...headers },
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, body: Buffer.concat(chunks).toString() });
          });
        },
      );
      request.on('error', reject);
      if (chunked) request.write(body);
      request.end(chunked ? undefined : body);
    });

  return { server, port, doubles, send };
}
