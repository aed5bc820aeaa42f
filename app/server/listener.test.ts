import { request as httpRequest, createServer, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { AppLoadContext } from '@remix-run/node';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  bytes,
  hang,
  json,
  raw,
  reset,
  startUpstream,
  type Reply,
} from '~/testing/upstream-double';
import { parseSiteEnv } from './env.server';
import { createListener, type ListenerOptions } from './listener.server';
import { bodyLimit } from './request-checks.server';

const lines = vi.hoisted((): string[] => []);
vi.mock('./log.server', async () => {
  const { pino } = await import('pino');
  return {
    log: pino({ base: null, level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  };
});

const platform = await startUpstream();
vi.stubEnv('PLATFORM_INTERNAL_URL', platform.url);
vi.stubEnv('SITE_ORIGIN', 'https://site.example');
vi.stubEnv('PLATFORM_FRAME_ANCESTORS', 'https://platform.example');
const env = parseSiteEnv(process.env);

let ready = true;
let seen: { request: Request; context: AppLoadContext; body: string }[] = [];
let remix: ListenerOptions['remix'];
let assets: ListenerOptions['assets'];

const server = createServer(
  createListener({
    env,
    assets: (...exchange) => {
      assets(...exchange);
    },
    remix: async (request, context) => {
      seen.push({ request, context, body: await request.clone().text() });
      return remix(request, context);
    },
    isReady: () => ready,
  }),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

beforeEach(() => {
  platform.forget();
  lines.length = 0;
  seen = [];
  ready = true;
  remix = () => Promise.resolve(new Response('from remix'));
  assets = (_request, _response, next) => {
    next();
  };
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await platform.close();
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Ask {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sent without a length. */
  chunked?: boolean;
}

/** Asks as no browser must: the target goes out as it is written. */
function ask(target: string, { method = 'GET', headers = {}, body, chunked }: Ask = {}) {
  return new Promise<Answer>((resolve, reject) => {
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
}

const ours = { 'sec-fetch-site': 'same-origin' };
const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('says that it is alive, and whether it can serve', async () => {
  expect(await ask('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await ask('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
  ready = false;
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  const draining = await ask('/readyz');
  expect(draining).toMatchObject({ status: 503, body: '{"status":"draining"}' });
  expect(draining.headers['cache-control']).toBe('no-store');
  expect(seen).toHaveLength(0);
  expect(platform.requests).toHaveLength(0);
});

test('while it drains it still answers, and asks connections to close', async () => {
  ready = false;
  const answer = await ask('/studio');
  expect(answer).toMatchObject({ status: 200, body: 'from remix' });
  expect(answer.headers.connection).toBe('close');
});

test('a file is answered before Remix, and a refused request reaches neither', async () => {
  const files = vi.fn<ListenerOptions['assets']>((request, response, next) => {
    if (request.url === '/favicon.svg') response.end('a file');
    else next();
  });
  assets = files;
  expect(await ask('/favicon.svg')).toMatchObject({ status: 200, body: 'a file' });
  expect(seen).toHaveLength(0);
  expect(await ask('/studio')).toMatchObject({ body: 'from remix' });
  expect(seen).toHaveLength(1);
  expect((await ask('/favicon.svg?_data=x')).status).toBe(400);
  expect((await ask('//favicon.svg')).status).toBe(308);
  expect(files).toHaveBeenCalledTimes(2);
});

test('a page gets the headers of a page, whatever its route says', async () => {
  remix = (_, { nonce }) =>
    Promise.resolve(
      new Response(`<script nonce="${nonce ?? ''}">`, {
        headers: { 'cache-control': 'public, max-age=60', 'content-type': 'text/html' },
      }),
    );
  const { headers, body } = await ask('/studio');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['content-security-policy']).toContain('frame-ancestors https://platform.example');
  const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? 'none';
  expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  const again = /nonce="([^"]+)"/.exec((await ask('/studio')).body)?.[1];
  expect(again).not.toBe(nonce);
});

test('data of a client navigation is as little kept as the page [W03]', async () => {
  const { headers } = await ask('/studio.data?_routes=root');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(seen[0]?.context.kind).toBe('data');
});

test.each(['/api/generations/g1/output.png', '/%61pi/x', '/API/x', '/api'])(
  'a resource at %s is inert, and keeps what it says of caching',
  async (target) => {
    expect((await ask(target)).headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy':
        "default-src 'none'; sandbox; frame-ancestors https://platform.example",
      'x-content-type-options': 'nosniff',
    });
    remix = () => Promise.resolve(new Response('x', { headers: { 'cache-control': 'max-age=9' } }));
    expect((await ask(target)).headers['cache-control']).toBe('max-age=9');
  },
);

test('a route may give a Response whose headers cannot be set', async () => {
  remix = () => Promise.resolve(Response.redirect('https://site.example/studio', 303));
  const answer = await ask('/api/go');
  expect(answer.status).toBe(303);
  expect(answer.headers).toMatchObject({
    location: 'https://site.example/studio',
    'x-content-type-options': 'nosniff',
  });
});

test('several cookies of a route stay several', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  remix = () => Promise.resolve(new Response('x', { headers }));
  expect((await ask('/')).headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('Remix sees the address a browser knows, whatever the proxy made of Host', async () => {
  await ask('/studio?a=1', { headers: { host: '10.0.0.7:3000' } });
  expect(seen[0]?.request.url).toBe('https://site.example/studio?a=1');
  expect(seen[0]?.request.headers.get('host')).toBe('site.example');
  expect(seen[0]?.context.returnPath).toBe('/studio?a=1');
});

test('forged identity and forwarding headers never reach Remix, nor the platform [W01] [W19]', async () => {
  platform.on('/user', json(200, {}));
  const forged = [
    'Authorization',
    'Proxy-Authorization',
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X_Forwarded_Host',
    'x-forwarded_proto',
    'X-Real-IP',
    'Remote-User',
    'REMOTE_USER',
    'X-User',
    'x_user',
    'X-USER_ID',
    'X-Authenticated-User',
    'X-Platform-Session',
    'X_Platform-session',
    'CF-Access-Jwt-Assertion',
    'X-Original-URL',
  ];
  const headers = Object.fromEntries(forged.map((name) => [name, 'canary']));
  await ask('/studio', { headers: { ...headers, accept: 'text/html', cookie: 'own=1' } });
  const reached = [...(seen[0]?.request.headers ?? [])];
  expect(JSON.stringify(reached)).not.toContain('canary');
  expect(reached).toContainEqual(['accept', 'text/html']);
  expect(reached).toContainEqual(['cookie', 'own=1']);

  await ask('/api/user', { headers: { ...headers, cookie: 'own=1' } });
  expect(Object.keys(platform.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host']);
});

test('the relay gives status, type and bytes of the platform, and is never kept [W03] [W04]', async () => {
  platform.on('/user', bytes(418, '{ "id" :1}', { 'content-type': 'application/json;x=1' }));
  const answer = await ask('/api/user');
  expect(answer).toMatchObject({ status: 418, body: '{ "id" :1}' });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json;x=1',
    'cache-control': 'no-store',
    'content-length': '10',
    'x-content-type-options': 'nosniff',
  });
  expect(seen).toHaveLength(0);
});

test('relayed HTML keeps its type and can do nothing [W03] [W33]', async () => {
  platform.on('/user', bytes(200, '<script>alert(1)</script>', { 'content-type': 'text/html' }));
  const { headers } = await ask('/api/user');
  expect(headers['content-type']).toBe('text/html');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; sandbox;/);
});

test.each([204, 205, 304])('the relay gives status %i without a body [W03]', async (status) => {
  platform.on('/user', bytes(status, ''));
  expect(await ask('/api/user')).toMatchObject({ status, body: '' });
});

test('the relay answers HEAD as GET, without the body', async () => {
  platform.on('/user', json(401, { error: 'signed out' }));
  const answer = await ask('/api/user', { method: 'HEAD' });
  expect(answer).toMatchObject({ status: 401, body: '' });
  expect(answer.headers['content-length']).toBe('22');
  expect(platform.requests[0]?.method).toBe('GET');
});

test.each<[string, Reply, number]>([
  ['a reset', reset, 502],
  ['a broken body', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\ncanary'), 502],
  ['an odd status', raw('HTTP/1.1 999 canary\r\ncontent-length: 6\r\n\r\ncanary'), 502],
  [
    'a type no server can write',
    raw('HTTP/1.1 200 OK\r\ncontent-type: \u2713canary\r\n\r\n{}'),
    502,
  ],
  ['a hostile redirect', bytes(302, '', { location: 'http://canary.internal/' }), 302],
  ['an error that leaks', bytes(500, '', { 'x-debug': 'canary', 'set-cookie': 'a=canary' }), 500],
])('%s tells a browser nothing of the platform [W02] [W33]', async (_, reply, status) => {
  platform.on('/user', reply);
  const answer = await ask('/api/user');
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer)).not.toMatch(/canary|127\.0\.0\.1/);
  expect(JSON.stringify(answer)).not.toContain(new URL(platform.url).port);
});

test('the relay’s call ends when the visitor goes away', async () => {
  platform.on('/user', hang);
  const asked = platform.next();
  const visitor = connect(port, '127.0.0.1');
  visitor.write('GET /api/user HTTP/1.1\r\nhost: x\r\n\r\n');
  const request = await asked;
  visitor.destroy();
  expect(await request.ended).toBe('cut');
});

test('a route’s signal aborts when the visitor goes away, and that is no error', async () => {
  let aborted = (): void => undefined;
  const gone = new Promise<void>((resolve) => (aborted = resolve));
  let arrived = (): void => undefined;
  const started = new Promise<void>((resolve) => (arrived = resolve));
  remix = (request, context) =>
    new Promise((_, reject) => {
      expect(context.signal?.aborted).toBe(false);
      context.signal?.addEventListener('abort', () => {
        expect(request.signal.aborted).toBe(true);
        reject(new Error('aborted'));
        aborted();
      });
      arrived();
    });
  const visitor = connect(port, '127.0.0.1');
  visitor.write('GET /studio HTTP/1.1\r\nhost: x\r\n\r\n');
  await started;
  visitor.destroy();
  await gone;
  await vi.waitFor(() => {
    expect(logged()).toMatchObject([{ msg: 'request', status: 'aborted' }]);
  });
});

test('a signal does not abort when an answer went out in full', async () => {
  await ask('/studio');
  expect(seen[0]?.context.signal?.aborted).toBe(false);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s from another site is 403, and reaches no route [W19]',
  async (method) => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://site.example' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: 'https://sibling.example' },
      { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test', host: 'evil.test' },
    ]) {
      const answer = await ask('/studio', { method, headers, body: 'prompt=a' });
      expect(answer).toMatchObject({ status: 403, body: '{"error":"cross_site_request"}' });
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    }
    expect(seen).toHaveLength(0);
    for (const headers of [ours, { origin: 'https://site.example' }]) {
      expect((await ask('/studio', { method, headers, body: 'prompt=a' })).status).toBe(200);
    }
    expect(seen.map(({ body }) => body)).toEqual(['prompt=a', 'prompt=a']);
  },
);

test.each(['/studio?index', '/api/generations', '/studio.data', '/account?_data=x', '/unknown'])(
  'a cross-site post to %s reaches no route',
  async (target) => {
    const answer = await ask(target, { method: 'POST', headers: { origin: 'null' }, body: 'x' });
    expect([400, 403]).toContain(answer.status);
    expect(seen).toHaveLength(0);
  },
);

test('a post that the checks let through is not refused again for its Origin', async () => {
  // A sandboxed frame's own page has the origin `null`, and a proxy may have rewritten Host.
  const headers = { ...ours, origin: 'null', host: '10.0.0.7' };
  await ask('/studio', { method: 'POST', headers, body: 'prompt=a' });
  expect(seen[0]?.request.headers.get('origin')).toBe('https://site.example');
  expect(seen[0]?.request.headers.get('host')).toBe('site.example');
});

test.each(['OPTIONS', 'TRACE', 'PROPFIND'])('%s is 405, with what is allowed', async (method) => {
  const answer = await ask('/studio', { method, headers: ours });
  expect(answer.status).toBe(405);
  expect(answer.headers.allow).toContain('GET');
  expect(seen).toHaveLength(0);
});

test('a post to /api/user goes to its route, which knows what is allowed', async () => {
  await ask('/api/user', { method: 'POST', headers: ours, body: 'x' });
  expect(seen.map(({ request }) => request.method)).toEqual(['POST']);
  expect(platform.requests).toHaveLength(0);
});

test('a body too large by its own word is 413 before it is read', async () => {
  const answer = await ask('/studio', {
    method: 'POST',
    headers: ours,
    body: Buffer.alloc(bodyLimit + 1),
  });
  expect(answer).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
  expect(seen).toHaveLength(0);
});

test('a body too large in chunks is 413, and the answer arrives', async () => {
  const answer = await ask('/studio', {
    method: 'POST',
    headers: ours,
    body: Buffer.alloc(bodyLimit + 1),
    chunked: true,
  });
  expect(answer).toMatchObject({ status: 413, body: '{"error":"body_too_large"}' });
  expect(seen).toHaveLength(0);
});

test('a body of exactly the limit arrives whole, in chunks or not', async () => {
  for (const chunked of [true, false]) {
    const body = 'x'.repeat(bodyLimit);
    expect((await ask('/studio', { method: 'POST', headers: ours, body, chunked })).status).toBe(
      200,
    );
    expect(seen.pop()?.body).toHaveLength(bodyLimit);
  }
});

test.each([
  ['//evil.test', '/evil.test'],
  ['//evil.test/%2e%2e?x=//y', '/?x=//y'],
  ['/\\evil.test', '/evil.test'],
  ['/.//evil.test', '/evil.test'],
])('%s is sent to %s, and never off the site', async (target, location) => {
  const answer = await ask(target);
  expect(answer.status).toBe(308);
  expect(answer.headers.location).toBe(location);
  expect(seen).toHaveLength(0);
});

test.each(['http://evil.test/studio', 'https://site.example/studio', 'evil', '*', '?x'])(
  'the target %s is 400, and is not repeated',
  async (target) => {
    const answer = await ask(target, target === '*' ? { method: 'OPTIONS' } : {});
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/^(\{"error":"malformed_address"\})?$/);
    expect(seen).toHaveLength(0);
  },
);

test.each(['/%zz', '/%', '/%c0%ae%c0%ae/', '/%ff.data'])(
  'the malformed escape in %s is refused before a route runs',
  async (target) => {
    expect(await ask(target)).toMatchObject({
      status: 400,
      body: '{"error":"malformed_address"}',
    });
    expect(seen).toHaveLength(0);
  },
);

test.each(['/%00', '/a%0d%0aset-cookie:x=1'])(
  'the control character in %s breaks nothing',
  async (target) => {
    const answer = await ask(target);
    expect(answer).toMatchObject({ status: 200, body: 'from remix' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  },
);

test.each([
  '/api/user.data',
  '/%61pi/user%2edata',
  '/API/User.DATA?_routes=x',
  '/api/generations.data',
])('%s is 404: no state of a visitor in another dress [W03]', async (target) => {
  platform.on('/user', json(200, { id: 'canary' }));
  const answer = await ask(target);
  expect(answer).toMatchObject({ status: 404, body: '{"error":"not_found"}' });
  expect(seen).toHaveLength(0);
  expect(platform.requests).toHaveLength(0);
});

test('a refusal is inert and never kept', async () => {
  expect((await ask('/?_data=x')).headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'; sandbox") as string,
  });
});

test('HEAD of a page has the headers of GET and no body', async () => {
  const answer = await ask('/studio', { method: 'HEAD' });
  expect(answer).toMatchObject({ status: 200, body: '' });
  expect(answer.headers['cache-control']).toBe('private, no-store');
  expect(seen[0]?.request.method).toBe('HEAD');
});

test('an exception in Remix is a plain 500, and a line in the log under the same id [W33]', async () => {
  remix = () => Promise.reject(new Error('canary: connect ECONNREFUSED 10.0.0.1'));
  const answer = await ask('/studio');
  expect(answer).toMatchObject({ status: 500, body: '{"error":"internal_error"}' });
  expect(JSON.stringify(answer)).not.toContain('canary');
  expect(answer.headers['cache-control']).toBe('no-store');
  const error = logged().find(({ msg }) => msg === 'request failed');
  expect(JSON.stringify(error)).toContain('canary');
  expect(error?.['requestId']).toBe(answer.headers['x-request-id']);
});

test('an answer that breaks halfway is cut, and no error page is appended [W33]', async () => {
  let part = 0;
  remix = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          pull(controller) {
            if (part++ === 0) controller.enqueue(new TextEncoder().encode('first half'));
            else controller.error(new Error('canary'));
          },
        }),
      ),
    );
  await expect(ask('/studio')).rejects.toThrow(/aborted|hang up/);
  expect(logged().some(({ msg }) => msg === 'request failed')).toBe(true);
});

test('each request has its own id, and a visitor’s is not taken over', async () => {
  const headers = { 'x-request-id': 'forged' };
  const one = (await ask('/studio', { headers })).headers['x-request-id'];
  const two = (await ask('/studio', { headers })).headers['x-request-id'];
  expect(one).toMatch(/^[\da-f-]{36}$/);
  expect(two).not.toBe(one);
  expect(seen[0]?.context.requestId).toBe(one);
});

test('a log line has method, path, status and time, and nothing of the visitor', async () => {
  platform.on('/user', json(200, { name: 'canary-name', email: 'canary@example.test' }));
  const headers = {
    cookie: 'session=canary',
    authorization: 'Bearer canary',
    referer: 'https://canary.example/',
    'user-agent': 'canary',
  };
  await ask('/studio?q=canary', { headers });
  await ask('/api/user?q=canary', { headers });
  await ask('/?_data=canary', { headers });
  await ask('/studio', { method: 'POST', headers: { ...headers, ...ours }, body: 'prompt=canary' });
  await vi.waitFor(() => {
    expect(lines).toHaveLength(4);
  });
  expect(lines.join('')).not.toContain('canary');
  expect(logged()).toMatchObject([
    { method: 'GET', path: '/studio', status: 200, ms: expect.any(Number) as number },
    { method: 'GET', path: '/api/user', status: 200 },
    { method: 'GET', path: '/', status: 400 },
    { method: 'POST', path: '/studio', status: 200 },
  ]);
});

test('the usual answers of the relay are logged for debugging only, the others always', async () => {
  for (const status of [200, 401, 503]) {
    platform.on('/user', json(status, {}));
    await ask('/api/user');
  }
  await vi.waitFor(() => {
    expect(logged()).toMatchObject([
      { status: 200, level: 20 },
      { status: 401, level: 20 },
      { status: 503, level: 30 },
    ]);
  });
});

test('two hundred hostile requests at once leave it standing', async () => {
  const targets = ['//x', '/%', '/?_data', '/api/x.data', '/..%2f', '/\u007f'];
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { status } = await ask(targets[index % targets.length] ?? '/');
      return status;
    }),
  );
  expect(statuses.every((status) => status < 500)).toBe(true);
  expect((await ask('/healthz')).status).toBe(200);
});
