/** Remix 2, as a page in a frame uses it. */
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import { dataPath, pageOfData } from '../data-address.ts';
import type { PageFramework } from './framework.ts';

export const remix: PageFramework = {
  useRouter() {
    const { revalidate, state } = useRevalidator();
    const navigation = useNavigation();
    const idle = state === 'idle' && navigation.state === 'idle';
    return { idle, loaded: useMatches(), revalidate };
  },

  dataRequestOf(address) {
    const { pathname, searchParams } = address;
    if (!pathname.endsWith('.data')) return null;
    const page = new URL(address);
    page.pathname = pageOfData(pathname, '').pathname;
    page.searchParams.delete('_routes');
    const { navigation, location } = window.__remixRouter.state;
    const shown = navigation.location ?? location;
    const isSame = `${new URLSearchParams(shown.search)}` === `${page.searchParams}`;
    if (isSame && dataPath(shown.pathname) === pathname) page.search = shown.search;
    const routes = searchParams.get('_routes');
    address.search = page.search;
    const mark = page.search ? '&' : '?';
    if (routes) address.search += `${mark}_routes=${encodeURIComponent(routes)}`;
    return {
      page,
      isForNextPage() {
        const { navigation, location } = window.__remixRouter.state;
        const target = navigation.location?.pathname;
        return (
          target !== undefined && target !== location.pathname && dataPath(target) === pathname
        );
      },
    };
  },

  // Remix sets this header on all responses of its routes, including errors.
  isFromRoute: ({ headers }) => headers.has('x-remix-response'),

  // `{ data: null }` in the wire format of `packages/turbo-stream`.
  noData: (status) => new Response('[{"data":null}]\n', { status }),

  routeError: (status) => ({ status, statusText: '', internal: false, data: null }),

  pageFiles: () =>
    Object.values(window.__remixManifest.routes)
      .filter(({ path }) => !path?.startsWith('api/'))
      .flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]),
};
