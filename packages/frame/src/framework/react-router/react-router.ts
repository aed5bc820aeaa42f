/** React Router 8, as a page in a frame uses it. */
import { useCallback } from 'react';
import { useMatches, useNavigation, useRevalidator } from 'react-router';
import type { PageFramework } from '../framework.ts';
import { dataRequestFor } from '../page-data.ts';

/** `/notes.data`, `/notes/_.data` of `/notes/`, and `/_.data` of the home page. */
const addresses = {
  dataOf: (pathname: string) => `${pathname}${pathname.endsWith('/') ? '_' : ''}.data`,
  pageOf: (pathname: string) => pathname.replace(/(?<=\/)_\.data$|\.data$/, ''),
};

/** What React Router keeps in the page, as far as it is read here. */
interface Page {
  __reactRouterDataRouter: { state: ReturnType<Parameters<typeof dataRequestFor>[1]> };
  __reactRouterManifest: {
    routes: Record<string, { path?: string; module: string; imports?: string[]; css?: string[] }>;
  };
}

const page = () => window as unknown as Page;

export const reactRouter: PageFramework = {
  useRouter() {
    const { revalidate, state } = useRevalidator();
    const navigation = useNavigation();
    const idle = state === 'idle' && navigation.state === 'idle';
    const reload = useCallback(() => void revalidate(), [revalidate]);
    return { idle, loaded: useMatches(), revalidate: reload };
  },

  dataRequestOf: dataRequestFor(addresses, () => page().__reactRouterDataRouter.state),

  // React Router sets this header on all responses of its routes, including errors.
  isFromRoute: ({ headers }) => headers.has('x-remix-response'),

  // `{ data: null }` as React Router encodes it. Without the header, it would show its error page.
  noData: (status) =>
    new Response('[{"_1":-5},"data"]\n', { status, headers: { 'x-remix-response': 'yes' } }),

  routeError: (status) => ({ status, statusText: '', internal: false, data: null }),

  pageFiles: () =>
    Object.values(page().__reactRouterManifest.routes)
      .filter(({ path }) => !path?.startsWith('api/'))
      .flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]),
};
