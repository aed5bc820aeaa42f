/** How React Router 8 spells the requests of its own browser code. */
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
  bypassesChecks: () => false,
};

function isData(pathname: string): boolean {
  return pathname.endsWith('.data');
}

/** `/notes.data` is the data of `/notes`, `/_.data` of `/`, and `/notes/_.data` of `/notes/`. */
export function pagePath(pathname: string): string {
  return pathname.endsWith('/_.data')
    ? pathname.slice(0, -'_.data'.length)
    : pathname.replace(/\.data$/, '');
}
