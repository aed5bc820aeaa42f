/** Which routes a request is matched among. */
import type { EntryContext, ServerBuild } from '@remix-run/node';
import { expect, test } from 'vitest';
import type { RouteHandle } from '~/route-handle';
import { createRemixHandler } from './remix-handler';
import { createRequestContext } from '../listener/request-context';

const page = { default: () => null };
const resource = { loader: () => new Response('from the resource') };
const handles = (handle: RouteHandle) => ({ ...page, handle });
const modules: Record<string, { path: string; parentId?: string; module: object }> = {
  root: { path: '', module: handles({ body: 10, cache: 'public' }) },
  apiary: { path: 'apiary', module: handles({ body: 30 }) },
  hive: { path: 'hive', parentId: 'apiary', module: handles({ body: 20, cache: 'public' }) },
  'api.user': { path: 'api/user', module: resource },
  'api.rest': { path: 'api/*', module: resource },
  rest: { path: '*', module: page },
};
const routes = Object.fromEntries(
  Object.entries(modules).map(([id, route]) => [
    id,
    { id, ...(id !== 'root' && { parentId: 'root' }), ...route },
  ]),
) as unknown as ServerBuild['routes'] & ServerBuild['assets']['routes'];

/** Tells the routes that a page is rendered with, in place of rendering it. */
const tellRoutes = (_: Request, status: number, headers: Headers, { manifest }: EntryContext) =>
  new Response(Object.keys(manifest.routes).join(' '), { status, headers });

const { remix, routeHandle } = createRemixHandler(
  {
    mode: 'production',
    entry: { module: { default: tellRoutes } },
    routes,
    assets: { version: '1', url: '', entry: { module: '', imports: [] }, routes },
    publicPath: '/',
    assetsBuildDirectory: '',
    future: { v3_singleFetch: true } as ServerBuild['future'],
    isSpaMode: false,
  },
  'production',
);

async function ask(path: string, askedAs = path): Promise<string> {
  const { signal } = new AbortController();
  const url = (of: string) => new URL(of, 'https://site.example');
  const context = createRequestContext(url(askedAs), { signal, requestId: 'r1', nonce: 'n1' });
  return (await remix(new Request(url(path)), context)).text();
}

test.each(['/', '/apiary', '/apiary/x', '/no-such-page'])(
  'the page %s is matched among pages alone',
  async (path) => {
    expect(await ask(path)).toBe('root apiary hive rest');
    expect(await ask('/api/user', path), 'no resource can be a page').toBe('root apiary hive rest');
  },
);

test.each(['/api/user', '/API/user', '/%61pi/user', '/api', '/api/no-such-thing'])(
  'the resource %s is found',
  async (path) => {
    expect(await ask(path)).toBe('from the resource');
  },
);

test.each<[string, RouteHandle]>([
  ['/apiary/hive', { body: 30, cache: 'public' }],
  ['/apiary/hive.data', { body: 30, cache: 'public' }],
  ['/APIARY/hive/', { body: 30, cache: 'public' }],
  ['/apiary', { body: 30 }],
  ['/no-such-page', { body: 10 }],
  ['/api/user', { body: 10 }],
])(
  'the routes at %s take the largest body of them, and the last says what is public',
  async (path, handle) => {
    expect(await routeHandle(new URL(path, 'https://site.example'))).toEqual(handle);
  },
);

test('the data of the first page is that page’s', async () => {
  const of = (path: string) => routeHandle(new URL(path, 'https://site.example'));
  expect(await of('/_root.data')).toEqual(await of('/'));
  expect(await of('/_root.data')).not.toEqual(await of('/no-such-page'));
});
