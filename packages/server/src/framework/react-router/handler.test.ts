/** React Router's handler: its data addresses, its context, and what the site's rules ask of both. */
import { data, redirect, RouterContextProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { createRequestContext } from '../../requests/request-context.ts';
import { isResource, settings } from '../../testing/listening-site.ts';
import { addresses } from './addresses.ts';
import { reactRouter } from './index.ts';
import { serverBuildOf, type Module, type TestRoute } from './testing/server-build.ts';

const { siteOrigin } = settings;
const thrown: unknown[] = [];

function createSite(modules: Record<string, Module>) {
  const page = { default: () => null };
  const routes: Record<string, TestRoute> = { root: { id: 'root', path: '', module: page } };
  for (const [path, module] of Object.entries(modules)) {
    const place = path === '' ? { index: true } : { path };
    routes[path || 'home'] = { id: path || 'home', parentId: 'root', ...place, module };
  }
  const entry = {
    default: (_: Request, status: number, headers: Headers) =>
      new Response('a page', { status, headers }),
    handleError: (error: unknown) => thrown.push(error),
  };
  const build = serverBuildOf(routes, entry);
  const { match } = reactRouter.createHandler(build, 'production', { isResource });
  return async (path: string, init: RequestInit = {}, isPublic = false) => {
    const url = new URL(path, siteOrigin);
    const { signal } = new AbortController();
    const own = { signal, requestId: 'r1', nonce: 'n1', method: init.method ?? 'GET' };
    const context = createRequestContext(url, { isResource, framework: reactRouter }, own);
    if (isPublic) {
      Object.assign(context, { publicContext: reactRouter.contextOf?.({ ...context, isPublic }) });
    }
    return (await match(url)).respond(new Request(url, { signal, ...init }), context);
  };
}

test.each([
  ['/_.data', '/'],
  ['/notes.data', '/notes'],
  ['/notes/_.data', '/notes/'],
  ['/_.data?x&_routes=root', '/?x'],
  ['/notes.data?_routes=notes&q=a%20b', '/notes?q=a%20b'],
])('%s is the data of %s', (address, page) => {
  const { pathname, search } = addresses.pageOf(new URL(address, siteOrigin));
  expect(pathname + search).toBe(page);
  expect(addresses.isData(new URL(address, siteOrigin).pathname)).toBe(true);
});

test.each([
  ['/', '/'],
  ['/_.data?_routes=home', '/'],
  ['/notes.data?q=a%20b', '/notes?q=a%20b'],
])(
  'a loader requested at %s reads the page’s address and the request’s context',
  async (at, page) => {
    const loader = vi.fn(() => null);
    const site = createSite({
      '': { default: () => null, loader },
      notes: { default: () => null, loader },
    });
    expect((await site(at)).status).toBe(200);
    expect(loader).toHaveBeenCalledOnce();
    const [args] = loader.mock.calls[0] as unknown as [
      { request: Request; context: RouterContextProvider },
    ];
    expect(args.request.url).toBe(siteOrigin + page);
    expect(args.context).toBeInstanceOf(RouterContextProvider);
    expect(args.context).toMatchObject({ nonce: 'n1', requestId: 'r1' });
  },
);

test('an action reads the form and the page’s address', async () => {
  const action = async ({ request }: { request: Request }) =>
    data(`${request.url} ${await request.text()}`);
  const site = createSite({ '': { default: () => null, action } });
  const response = await site('/_.data?index', {
    method: 'POST',
    body: new URLSearchParams({ text: 'hello' }),
  });
  expect(await response.text()).toContain(`${siteOrigin}/ text=hello`);
});

test.each(['/go', '/go.data', '/api/go'])(
  'a redirect to another site is refused at %s',
  async (path) => {
    const go: Module = { loader: () => redirect('https://other.example/') };
    const site = createSite({ go: { ...go, default: () => null }, 'api/go': go });
    const response = await site(path);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('other.example');
    expect(String(thrown.splice(0))).toContain('would leave the site');
  },
);

test('the data of a page that caches may keep is loaded for nobody', async () => {
  const seen: unknown[] = [];
  const loader = ({ request, context }: { request: Request; context: object }) => {
    seen.push(request.headers.get('cookie'), (context as { isPublic?: boolean }).isPublic);
    return null;
  };
  const site = createSite({ news: { default: () => null, loader } });
  await site('/news.data', { headers: { cookie: 'who=ada' } }, true);
  expect(seen).toEqual([null, true]);
});

test('a page’s module at a resource’s address is not served, nor the other way round', async () => {
  const site = createSite({
    '*': { default: () => null },
    'api/*': { loader: () => 'a resource' },
  });
  expect(await (await site('/api/x')).text()).toBe('a resource');
  expect(await (await site('/x')).text()).toBe('a page');
});
