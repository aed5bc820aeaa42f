// @vitest-environment happy-dom
/** What differs in React Router from Remix: addresses of data, and what a settled submission and a revalidation are. */
import { UNSAFE_decodeViaTurboStream as decode } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ReloadProvider, useReload } from '../../react/reload.tsx';
import { reactRouter } from './react-router.ts';
import { renderPage } from './testing/page-stub.tsx';

const here = (path: string) => new URL(path, window.location.href);

/** The page that is shown, and the one that is navigated to. */
function goTo(pathname: string, search = '', target?: string): void {
  const navigation = target === undefined ? {} : { location: { pathname: target, search: '' } };
  const location = { pathname, search };
  vi.stubGlobal('__reactRouterDataRouter', { state: { navigation, location } });
}

test.each([
  ['/', '/_.data', '/'],
  ['/notes', '/notes.data?_routes=root', '/notes'],
  ['/notes/', '/notes/_.data', '/notes/'],
])('while navigating to %s, a request for %s is for the next page', (target, data, page) => {
  goTo('/gallery', '', target);
  const request = reactRouter.dataRequestOf(here(data));
  expect(request?.page.pathname).toBe(page);
  expect(request?.isForNextPage()).toBe(true);
  goTo(target);
  expect(reactRouter.dataRequestOf(here(data))?.isForNextPage()).toBe(false);
  expect(reactRouter.dataRequestOf(here('/api/user'))).toBeNull();
});

test('a request is sent with the query that the visitor sees [W05]', () => {
  goTo('/', '?s=a%20b&x');
  const address = here('/_.data?s=a+b&x=&_routes=root');
  expect(reactRouter.dataRequestOf(address)?.page.href).toBe(here('/?s=a%20b&x').href);
  expect(address.href).toBe(here('/_.data?s=a%20b&x&_routes=root').href);
});

test('a submission without a response settles as an action without data, not as an error page', async () => {
  const response = reactRouter.noData(503);
  expect(response.status).toBe(503);
  expect(reactRouter.isFromRoute(response)).toBe(true);
  if (!response.body) throw new Error('There is no body.');
  expect((await decode(response.body, window)).value).toEqual({ data: null });
});

test('a reload runs the loaders again, and is the same function for the whole page', async () => {
  const reloads = new Set<() => void>();
  let loads = 0;
  const sent = { root: null, page: null };
  renderPage(
    {
      Root: ({ children }) => <ReloadProvider framework={reactRouter}>{children}</ReloadProvider>,
      Page() {
        reloads.add(useReload());
        return null;
      },
      rootLoader: () => (loads += 1),
      loader: () => null,
      action: () => null,
    },
    '/',
    sent,
  );
  for (let time = 1; time < 4; time += 1) {
    const [reload] = reloads;
    reload?.();
    await expect.poll(() => loads).toBe(time);
  }
  expect(reloads.size).toBe(1);
});
