import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { inert, ours, startListeningSite } from '../testing/listening-site.ts';
import { lines, logged } from '../testing/log-double.ts';
import type { ListenerOptions } from './listener.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { relayed, port, doubles, send } = await startListeningSite();

test('reports liveness and readiness', async () => {
  expect(await send('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await send('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
  doubles.ready = false;
  expect(await send('/healthz')).toMatchObject({ status: 200 });
  const draining = await send('/readyz');
  expect(draining).toMatchObject({ status: 503, body: '{"status":"draining"}' });
  for (const { headers } of [await send('/healthz'), draining])
    expect(headers).toMatchObject(inert);
  expect(doubles.seen).toHaveLength(0);
  expect(relayed).toHaveLength(0);
});

test('while draining it still responds, and asks clients to close connections', async () => {
  doubles.ready = false;
  const response = await send('/page');
  expect(response).toMatchObject({ status: 200, body: 'from remix' });
  expect(response.headers.connection).toBe('close');
});

test('a file is served before Remix, and a rejected request reaches neither', async () => {
  const files = vi.fn<ListenerOptions['assets']>((request, response, next) => {
    if (request.url === '/favicon.svg') response.end('a file');
    else next();
  });
  doubles.assets = files;
  expect(await send('/favicon.svg')).toMatchObject({ status: 200, body: 'a file' });
  expect(doubles.seen).toHaveLength(0);
  expect(await send('/page')).toMatchObject({ body: 'from remix' });
  expect(doubles.seen).toHaveLength(1);
  expect((await send('/favicon.svg?_data=x')).status).toBe(400);
  expect((await send('//favicon.svg')).status).toBe(308);
  expect(files).toHaveBeenCalledTimes(2);
});

test('a page has a page’s headers, whatever its route sets', async () => {
  doubles.remix = (_, { nonce }) =>
    Promise.resolve(
      new Response(`<script nonce="${nonce ?? ''}">`, {
        headers: { 'cache-control': 'public, max-age=60', 'content-type': 'text/html' },
      }),
    );
  const { headers, body } = await send('/page');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['content-security-policy']).toContain('frame-ancestors https://platform.example');
  const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? 'none';
  expect(headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  const again = /nonce="([^"]+)"/.exec((await send('/page')).body)?.[1];
  expect(again).not.toBe(nonce);
});

const caching = (value: string) => () =>
  Promise.resolve(new Response('x', { headers: { 'cache-control': value } }));

test.each(['/page', '/page.data'])('%s is not cached by the browser', async (target) => {
  for (const value of ['private, max-age=9', 'no-store, max-age=9']) {
    doubles.remix = caching(value);
    expect((await send(target)).headers['cache-control']).toBe('private, no-store');
  }
});

test('data of a client navigation is not cached either [W03]', async () => {
  const { headers } = await send('/page.data?_routes=root');
  expect(headers['cache-control']).toBe('private, no-store');
  expect(doubles.seen[0]?.context.kind).toBe('data');
});

test.each(['/api/pictures/p1.png', '/%61pi/x', '/API/x', '/api'])(
  'a resource at %s is inert, and may set private caching',
  async (target) => {
    expect((await send(target)).headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy':
        "default-src 'none'; sandbox; frame-ancestors https://platform.example",
      'x-content-type-options': 'nosniff',
    });
    for (const value of ['private, max-age=9', 'max-age=9, Private', 'no-store']) {
      doubles.remix = caching(value);
      expect((await send(target)).headers['cache-control']).toBe(value);
    }
  },
);

test.each(['/api/x', '/page', '/page.data'])(
  '%s is not cacheable, whatever its response says',
  async (target) => {
    for (const value of ['public, max-age=9', 'max-age=9', 'public="private"']) {
      doubles.remix = caching(value);
      expect((await send(target)).headers['cache-control']).toBe('private, no-store');
    }
  },
);

test('a route may return a Response with immutable headers', async () => {
  doubles.remix = () => Promise.resolve(Response.redirect('https://site.example/page', 303));
  const response = await send('/api/go');
  expect(response.status).toBe(303);
  expect(response.headers).toMatchObject({
    location: 'https://site.example/page',
    'x-content-type-options': 'nosniff',
  });
});

test('several cookies stay separate headers', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  doubles.remix = () => Promise.resolve(new Response('x', { headers }));
  expect((await send('/')).headers['set-cookie']).toEqual(['a=1', 'b=2']);
  doubles.remix = (_request, { takePage }) => {
    takePage?.(Buffer.from('a page in one piece'));
    return Promise.resolve(new Response(null, { headers }));
  };
  expect((await send('/')).headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('Remix sees the browser’s address, even if a proxy rewrote Host', async () => {
  await send('/page?a=1', { headers: { host: '10.0.0.7:3000' } });
  expect(doubles.seen[0]?.request.url).toBe('https://site.example/page?a=1');
  expect(doubles.seen[0]?.request.headers.get('host')).toBe('site.example');
});

test('forged identity and forwarding headers never reach Remix [W01] [W19]', async () => {
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
  await send('/page', { headers: { ...headers, accept: 'text/html', cookie: 'own=1' } });
  const reached = [...(doubles.seen[0]?.request.headers ?? [])];
  expect(JSON.stringify(reached)).not.toContain('canary');
  expect(reached).toContainEqual(['accept', 'text/html']);
  expect(reached).toContainEqual(['cookie', 'own=1']);
});

test('a route’s signal aborts when the visitor disconnects, which is not an error', async () => {
  let aborted = (): void => undefined;
  const gone = new Promise<void>((resolve) => (aborted = resolve));
  let arrived = (): void => undefined;
  const started = new Promise<void>((resolve) => (arrived = resolve));
  doubles.remix = (request, context) =>
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
  visitor.write('GET /page HTTP/1.1\r\nhost: x\r\n\r\n');
  await started;
  visitor.destroy();
  await gone;
  await expect.poll(() => logged()).toMatchObject([{ msg: 'request', status: 'aborted' }]);
});

test.each([
  ['with a complete request', ''],
  ['with an incomplete request', 'content-length: 9\r\n'],
])('a visitor %s who disconnects midway through a page is logged as aborted', async (_, length) => {
  const half = new ReadableStream<Uint8Array>({
    start: (stream) => {
      stream.enqueue(Buffer.from('half'));
    },
  });
  doubles.remix = () => Promise.resolve(new Response(half));
  const visitor = connect(port, '127.0.0.1');
  visitor.write(`GET /page HTTP/1.1\r\nhost: x\r\n${length}\r\n`);
  await once(visitor, 'data');
  visitor.destroy();
  await expect.poll(() => logged()).toMatchObject([{ msg: 'request', status: 'aborted' }]);
});

test('a response to a disconnected visitor is cancelled', async () => {
  const cancelled = vi.fn();
  let arrived = (): void => undefined;
  const started = new Promise<void>((resolve) => (arrived = resolve));
  doubles.remix = async (_request, { signal }) => {
    arrived();
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return new Response(new ReadableStream({ cancel: cancelled }));
  };
  const visitor = connect(port, '127.0.0.1');
  visitor.write('GET /page HTTP/1.1\r\nhost: x\r\n\r\n');
  await started;
  visitor.destroy();
  await expect.poll(() => cancelled).toHaveBeenCalled();
});

test('the signal does not abort after a complete response', async () => {
  await send('/page');
  expect(doubles.seen[0]?.context.signal?.aborted).toBe(false);
});

test('HEAD of a page has GET’s headers and no body', async () => {
  const response = await send('/page', { method: 'HEAD' });
  expect(response).toMatchObject({ status: 200, body: '' });
  expect(response.headers['cache-control']).toBe('private, no-store');
  expect(doubles.seen[0]?.request.method).toBe('HEAD');
});

test('an exception in Remix is a plain 500, and logged with the same id [W33]', async () => {
  doubles.remix = () => Promise.reject(new Error('canary: connect ECONNREFUSED 10.0.0.1'));
  const response = await send('/page');
  expect(response).toMatchObject({ status: 500, body: '{"error":"internal_error"}' });
  expect(JSON.stringify(response)).not.toContain('canary');
  expect(response.headers['cache-control']).toBe('no-store');
  const error = logged().find(({ msg }) => msg === 'request failed');
  expect(JSON.stringify(error)).toContain('canary');
  expect(error?.['requestId']).toBe(response.headers['x-request-id']);
});

test('a response that fails midway is aborted, without an appended error page [W33]', async () => {
  let part = 0;
  doubles.remix = () =>
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
  await expect(send('/page')).rejects.toThrow(/aborted|hang up/);
  expect(logged().some(({ msg }) => msg === 'request failed')).toBe(true);
});

test('each request has its own id, and one sent by the visitor is ignored', async () => {
  const headers = { 'x-request-id': 'forged' };
  const first = (await send('/page', { headers })).headers['x-request-id'];
  const second = (await send('/page', { headers })).headers['x-request-id'];
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).not.toBe(first);
  expect(doubles.seen[0]?.context.requestId).toBe(first);
});

test('a log line has method, path, status and duration, and no visitor data', async () => {
  const headers = {
    cookie: 'session=canary',
    authorization: 'Bearer canary',
    referer: 'https://canary.example/',
    'user-agent': 'canary',
  };
  await send('/page?q=canary', { headers });
  await send('/api/user?q=canary', { headers });
  await send('/?_data=canary', { headers });
  await send('/page', { method: 'POST', headers: { ...headers, ...ours }, body: 'prompt=canary' });
  await expect.poll(() => lines).toHaveLength(4);
  expect(lines.join('')).not.toContain('canary');
  expect(logged()).toMatchObject([
    { method: 'GET', path: '/page', status: 200, ms: expect.any(Number) as number },
    { method: 'GET', path: '/api/user', status: 200 },
    { method: 'GET', path: '/', status: 400 },
    { method: 'POST', path: '/page', status: 200 },
  ]);
});
