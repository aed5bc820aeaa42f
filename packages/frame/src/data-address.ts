/** How Remix spells the address of a page's data: `/notes.data`, and `/_root.data` of the home page. */

/** The page at an address, which may be that of its data. Every other byte of the query stays as it is. */
export function pageOfData(pathname: string, search: string): { pathname: string; search: string } {
  const page = pathname.replace(/(\.|%2e)data$/i, '');
  return {
    pathname: page.replace(/^\/_root$/, '/'),
    search: page === pathname ? search : search.replace(routes, '').replace(/[?&]$/, ''),
  };
}

const routes = /(?<=[?&])_routes=[^&]*(&|$)/g;

/** The path of a page's data. */
export function dataPath(pathname: string): string {
  return `${pathname === '/' ? '/_root' : pathname.replace(/\/$/, '')}.data`;
}
