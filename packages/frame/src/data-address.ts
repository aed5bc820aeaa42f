/**
 * How frameworks spell the address of a page's data: `/notes.data`; of the home page `/_root.data` in Remix, and `/_.data` in
 * React Router, which also has `/notes/_.data` of `/notes/`.
 */

/** The page at an address, which may be that of its data. Every other byte of the query stays as it is. */
export function pageOfData(pathname: string, search: string): { pathname: string; search: string } {
  const page = pathname.replace(/(\.|%2e)data$/i, '');
  return page === pathname
    ? { pathname, search }
    : {
        pathname: page.replace(/^\/_root$/, '/').replace(/(?<=\/)_$/, ''),
        search: search.replace(routes, '').replace(/[?&]$/, ''),
      };
}

const routes = /(?<=[?&])_routes=[^&]*(&|$)/g;
