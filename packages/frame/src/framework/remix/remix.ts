/** Remix 2, as a page in a frame uses it. */
import { useMatches, useNavigation, useRevalidator } from '@remix-run/react';
import type { PageFramework } from '../framework.ts';
import { dataRequestFor } from '../page-data.ts';

/** `/notes.data`, and `/_root.data` of the home page. */
const addresses = {
  dataOf: (pathname: string) => `${pathname === '/' ? '/_root' : pathname.replace(/\/$/, '')}.data`,
  pageOf: (pathname: string) => pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/'),
};

export const remix: PageFramework = {
  useRouter() {
    const { revalidate, state } = useRevalidator();
    const navigation = useNavigation();
    const idle = state === 'idle' && navigation.state === 'idle';
    return { idle, loaded: useMatches(), revalidate };
  },

  dataRequestOf: dataRequestFor(addresses, () => window.__remixRouter.state),

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
