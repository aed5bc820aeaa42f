/** How Remix spells the requests of its own browser code. */
import type { FrameworkAddresses } from '../../framework.ts';
import { withoutParameters } from '../../requests/request-context.ts';

export const addresses: FrameworkAddresses = {
  isData,
  pageOf: ({ pathname, search }, method) => ({
    pathname: pagePath(pathname),
    search: withoutParameters(search, [
      ...(isData(pathname) ? ['_routes=[^&]*'] : []),
      // In the action of a form on an index route.
      ...(method === 'POST' ? ['index=?'] : []),
    ]),
  }),
  // Remix 1's way to call a single loader, which bypasses Remix's own origin check.
  bypassesChecks: ({ searchParams }) => searchParams.has('_data'),
};

function isData(pathname: string): boolean {
  return pathname.endsWith('.data');
}

/** The path of the page whose data is requested, or the path itself. */
export function pagePath(pathname: string): string {
  return isData(pathname) ? pathname.slice(0, -'.data'.length).replace(/^\/_root$/, '/') : pathname;
}
