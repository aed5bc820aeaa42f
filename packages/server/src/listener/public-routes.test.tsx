/** Routes whose responses caches may keep (`handle.cache`): for everybody, from nothing but their address. */
import { createHash } from 'node:crypto';
import { data, redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { Outlet, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { RouteHandleError, type RouteHandle } from '../route.ts';
import { isResource, ours, startListeningSite } from '../testing/listening-site.ts';
import { resourcePaths } from '../requests/resource-paths.ts';
import { remix } from '../framework/remix/index.ts';
import { serverBuildOf } from '../framework/remix/testing/server-build.ts';
import { createSmallSite, entry, type Module } from '../../test/small-site.tsx';
import { logged } from '../testing/log-double.ts';

vi.mock('../log.ts', () => import('../testing/log-double.ts'));

const { doubles, identified, send } = await startListeningSite();

const handle = {
  access: 'none',
  cache: { maxAge: 60, staleWhileRevalidate: 600 },
} satisfies RouteHandle;
const caching = 'public, max-age=60, stale-while-revalidate=600';

/** Reports all that a loader learns of its request. */
function tell({ request, context }: LoaderFunctionArgs) {
  const { cookie, clientAddress, isPublic } = context;
  return { url: request.url, headers: [...request.headers], cookie, clientAddress, isPublic };
}

let rendered = 0;
let load: (args: LoaderFunctionArgs) => unknown = tell;
function Shown() {
  rendered += 1;
  return <pre>{JSON.stringify(useLoaderData())}</pre>;
}
function Broken(): never {
  throw new Error('canary');
}
const page: Module = { default: Shown, loader: (args) => load(args) as object, handle };

const { match } = createSmallSite(
  {
    listing: page,
    'api/prices': { default: undefined, loader: (args) => load(args) as Response, handle },
    form: { ...page, action: ({ context }) => ({ cookie: context.cookie }) },
    injected: {
      ...page,
      default: () => <div dangerouslySetInnerHTML={{ __html: '<script>evil()</script>' }} />,
    },
    broken: { ...page, default: Broken },
    partly: {
      ...page,
      default: () => (
        <Suspense>
          <Broken />
        </Suspense>
      ),
    },
  },
  [
    { id: 'layout', path: 'shop', module: { default: Outlet, loader: tell } },
    { id: 'clip', parentId: 'layout', path: ':id', module: page },
  ],
);

beforeEach(() => {
  doubles.match = match;
  rendered = 0;
  load = tell;
});

const visitors = [
  {},
  { cookie: '__Host-session=canary' },
  { 'accept-language': 'pt', 'user-agent': 'canary', accept: 'text/canary' },
  { host: 'canary.test', 'x-forwarded-host': 'canary.test', 'x-forwarded-proto': 'http' },
  { 'x-forwarded-for': '192.0.2.1', authorization: 'canary', 'x-user-id': 'canary' },
  { 'x-original-url': '/canary', 'x-http-method-override': 'POST', origin: 'https://canary.test' },
  { 'sec-fetch-site': 'cross-site', referer: 'https://canary.test/', dnt: '1' },
];

test.each(['/listing?page=2&q=a+b', '/shop/17', '/listing?utm=<script>'])(
  '%s is made of its address alone, the same bytes for everybody [W19]',
  async (target) => {
    const responses = await Promise.all(visitors.map((headers) => send(target, { headers })));
    const [first] = responses;
    for (const { status, headers, body } of responses) {
      expect([status, headers['cache-control']]).toEqual([200, caching]);
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers.vary).toMatch(/^accept-encoding$/i);
      expect(body).toBe(first?.body);
      expect(headers.etag).toBe(first?.headers.etag);
      expect(headers['content-security-policy']).toBe(first?.headers['content-security-policy']);
      expect(body).not.toMatch(/canary|nonce/);
    }
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(7);
  },
);

test('a resource sees no visitor either, only which part is wanted', async () => {
  load = (args) => Response.json(tell(args));
  for (const headers of visitors) {
    const { body, ...response } = await send('/api/prices', { headers });
    expect(response.headers['cache-control']).toBe(caching);
    expect(JSON.parse(body)).toEqual({
      url: 'https://site.example/api/prices',
      headers: [['host', 'site.example']],
      isPublic: true,
    });
  }
  const { body } = await send('/api/prices', { headers: { range: 'bytes=0-9', cookie: 'a=1' } });
  expect(JSON.parse(body)).toMatchObject({
    headers: [
      ['host', 'site.example'],
      ['range', 'bytes=0-9'],
    ],
  });
});

test('a page’s own scripts are named in the policy by their digests, and no other script is', async () => {
  for (const target of ['/listing', '/injected']) {
    const { headers, body } = await send(target);
    const policy = headers['content-security-policy'];
    expect(policy).not.toMatch(/nonce|unsafe/);
    const scripts = [...body.matchAll(/<script(?![^>]* src=)[^>]*>(.+?)<\/script>/gs)];
    const allowed = scripts.flatMap(([, script = '']) => {
      const digest = createHash('sha256').update(script).digest('base64');
      return policy?.includes(`'sha256-${digest}'`) ? [script] : [];
    });
    const others = scripts.flatMap(([, script = '']) => (allowed.includes(script) ? [] : [script]));
    expect(allowed.length).toBeGreaterThan(3);
    expect(others).toEqual(target === '/injected' ? ['evil()'] : []);
  }
});

test('who has the page gets a 304, without the headers that would replace those of the page', async () => {
  const { headers } = await send('/listing');
  const { etag = '' } = headers;
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
  for (const method of ['GET', 'HEAD']) {
    for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`]) {
      const again = await send('/listing', { method, headers: { 'if-none-match': known } });
      expect([again.status, again.body]).toEqual([304, '']);
      expect(again.headers).toMatchObject({ etag, 'cache-control': caching });
      expect(again.headers).not.toHaveProperty('content-security-policy');
      expect(again.headers).not.toHaveProperty('content-length');
    }
  }
  const changed = { headers: { 'if-none-match': '"another", W/"x' } };
  expect((await send('/listing', changed)).status).toBe(200);
  expect((await send('/listing?page=2', { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('a page whose loader names a version is rendered only for who has another', async () => {
  let version = 'listing-17-v3';
  load = () => data({ title: 'A clip' }, { headers: { etag: version } });
  const { headers, body } = await send('/listing');
  expect(body).toContain('A clip');
  expect(rendered).toBe(1);
  const known = { 'if-none-match': headers.etag ?? '' };
  const again = await send('/listing', { headers: known });
  expect([again.status, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect(again.headers['cache-control']).toBe(caching);
  expect(rendered).toBe(1);
  version = 'listing-17-v4';
  expect((await send('/listing', { headers: known })).status).toBe(200);
  expect(rendered).toBe(2);
  // Another page of the same version is not this page.
  load = () => data({ title: 'Gone' }, { status: 404, headers: { etag: 'listing-17-v3' } });
  expect((await send('/listing', { headers: known })).status).toBe(404);
});

test('a resource names its version itself', async () => {
  load = () => new Response('<feed/>', { headers: { etag: 'feed-9' } });
  const { headers } = await send('/api/prices');
  expect(headers.etag).toBe('W/"feed-9"');
  const again = await send('/api/prices', { headers: { 'if-none-match': 'W/"feed-9"' } });
  expect([again.status, again.body]).toEqual([304, '']);
  load = () => new Response('part', { status: 206, headers: { etag: '"picture-9"' } });
  expect((await send('/api/prices')).headers.etag).toBe('"picture-9"');
});

test('HEAD has the headers of GET', async () => {
  const get = await send('/listing');
  const head = await send('/listing', { method: 'HEAD' });
  expect([head.status, head.body]).toEqual([200, '']);
  for (const name of ['etag', 'cache-control', 'content-length', 'content-security-policy']) {
    expect(head.headers[name]).toBe(get.headers[name]);
  }
});

function thrown(value: unknown): never {
  throw value;
}

test.each<[string, () => unknown]>([
  ['not found', () => data(null, { status: 404 })],
  ['thrown', () => thrown(new Response(null, { status: 410 }))],
  ['failed', () => thrown(new Error('canary'))],
  ['moved', () => redirect('/elsewhere', 301)],
  ['a cookie', () => data(null, { headers: { 'set-cookie': 'a=1; Secure' } })],
])('no cache keeps it: %s', async (_, response) => {
  load = response;
  for (const target of ['/listing', '/shop/1']) {
    const { headers } = await send(target);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers).not.toHaveProperty('etag');
  }
});

test('no cache keeps what a resource restricts, fails to answer or says of a visitor', async () => {
  for (const [init, kept] of [
    [{ headers: { 'cache-control': 'no-store' } }, 'no-store'],
    [{ headers: { 'set-cookie': 'a=1' } }, 'private, no-store'],
    [{ status: 503 }, 'private, no-store'],
    [{ status: 404, headers: { 'cache-control': 'public, max-age=9' } }, 'private, no-store'],
  ] as const) {
    load = () => new Response('x', init);
    expect((await send('/api/prices')).headers['cache-control']).toBe(kept);
  }
  load = ({ context }) => {
    identified.add(context);
    return new Response('x');
  };
  expect((await send('/api/prices')).headers['cache-control']).toBe('private, no-store');
});

test.each([
  ['/broken', 500],
  ['/partly', 200],
])('no cache keeps a page that could not be rendered: %s', async (target, expected) => {
  const { status, headers } = await send(target);
  expect([status, headers['cache-control']]).toEqual([expected, 'private, no-store']);
  expect(headers['content-security-policy']).toContain('nonce-');
});

test('deferred data is refused: the page is sent whole', async () => {
  for (const late of [
    { later: Promise.resolve('canary') },
    { list: [{ later: Promise.resolve('canary') }] },
  ]) {
    for (const target of ['/listing', '/listing.data']) {
      load = () => late;
      const { status, headers, body } = await send(target);
      expect(status).toBe(500);
      expect(body).not.toContain('canary');
      expect(headers['cache-control']).toBe('private, no-store');
    }
  }
  expect(JSON.stringify(logged())).toContain('Await in its loader');
});

test('no cache keeps a page’s data, and its loaders know nobody there either', async () => {
  const headers = { cookie: 'mine=canary', 'accept-language': 'canary' };
  for (const target of ['/listing.data', '/shop/17.data', '/listing.data?_routes=listing']) {
    const { status, body, headers: sent } = await send(target, { headers });
    expect([status, sent['cache-control']]).toEqual([200, 'private, no-store']);
    expect(body).not.toContain('canary');
  }
});

test('a form of such a page is its visitor’s', async () => {
  const headers = {
    ...ours,
    cookie: 'mine=1',
    'content-type': 'application/x-www-form-urlencoded',
  };
  for (const target of ['/form', '/form.data']) {
    const response = await send(target, { method: 'POST', headers, body: 'a=1' });
    expect(response.headers['cache-control']).toBe('private, no-store');
    expect(response.body).toContain('mine=1');
  }
});

test.each<[string, RouteHandle, string]>([
  ['page', { cache: { maxAge: 60 } }, "`cache` needs `access: 'none'`"],
  ['page', { access: 'platform', cache: { maxAge: 60 } }, "`cache` needs `access: 'none'`"],
  ['api/x', { access: 'machine', cache: { maxAge: 60 } }, "`cache` needs `access: 'none'`"],
  ['page', { access: 'none', cache: { maxAge: 0.5 } }, 'whole seconds'],
  ['page', { access: 'none', cache: { maxAge: 1, staleWhileRevalidate: -1 } }, 'whole seconds'],
  ['page', { access: 'none', cache: 'public' as never }, 'whole seconds'],
  ['page', { access: 'none', embeddable: true }, '`embeddable` is for a resource'],
  ['api/x', { embeddable: true }, '`embeddable` is for a resource'],
  ['api/x', { access: 'machine', shows: 'published' }, "`shows` is 'published'"],
  ['page', { access: 'none', shows: 'drafts' as never }, "`shows` is 'published'"],
  ['page', { access: 'none', role: 'admin' }, "`role` needs `access: 'account'`"],
  ['api/x', { access: 'platform', role: 'admin' }, "`role` needs `access: 'account'`"],
])('a handle that contradicts itself is refused at start: %s %j', (path, declared, message) => {
  const module = { default: path === 'page' ? () => null : undefined, handle: declared };
  const build = serverBuildOf({ it: { id: 'it', path, module } }, entry);
  const create = () => remix.createHandler(build, 'production', { isResource });
  expect(create).toThrow(RouteHandleError);
  expect(create).toThrow(message);
});

test('a picture may be shown by other sites where its route says so', async () => {
  const picture = { default: undefined, loader: () => new Response('png') };
  doubles.match = createSmallSite({
    'api/shown': { ...picture, handle: { ...handle, embeddable: true } },
    'api/plain': { ...picture, handle },
  }).match;
  const policyOf = async (path: string) =>
    (await send(path)).headers['cross-origin-resource-policy'];
  expect(await policyOf('/api/shown')).toBe('cross-origin');
  expect(await policyOf('/api/plain')).toBe('same-origin');
});

test.each<[string, Module]>([
  ['feed.xml', { default: () => null }],
  ['feed.xml', { default: undefined, handle: { access: 'platform' } }],
  ['hooks/:service', { default: undefined }],
])('a resource outside /api/ is no page, and protects nothing: %s %j [W24]', (path, module) => {
  const build = serverBuildOf({ it: { id: 'it', path, module } }, entry);
  const named = resourcePaths(['/feed.xml', '/hooks/*']);
  expect(() => remix.createHandler(build, 'production', { isResource: named })).toThrow(
    RouteHandleError,
  );
});
