/** What a framework's request for a page's data is for. */
import type { DataRequest } from './framework.ts';

/** Parts of the state of a framework's router. */
interface RouterState {
  location: Address;
  navigation: { location?: Address | undefined };
}

type Address = Pick<Location, 'pathname' | 'search'>;

/** How a framework spells the addresses of data. */
interface DataAddresses {
  dataOf: (pathname: string) => string;
  /** The path of the page whose data is at an address. */
  pageOf: (pathname: string) => string;
}

export function dataRequestFor(
  { dataOf, pageOf }: DataAddresses,
  stateOf: () => RouterState,
): (address: URL) => DataRequest | null {
  return (address) => {
    const { pathname, searchParams } = address;
    if (!pathname.endsWith('.data')) return null;
    const page = new URL(address);
    page.pathname = pageOf(pathname);
    page.searchParams.delete('_routes');
    const { navigation, location } = stateOf();
    const shown = navigation.location ?? location;
    const isSame = `${new URLSearchParams(shown.search)}` === `${page.searchParams}`;
    if (isSame && dataOf(shown.pathname) === pathname) page.search = shown.search;
    const routes = searchParams.get('_routes');
    address.search = page.search;
    const mark = page.search ? '&' : '?';
    if (routes) address.search += `${mark}_routes=${encodeURIComponent(routes)}`;
    return {
      page,
      isForNextPage() {
        const { navigation, location } = stateOf();
        const target = navigation.location?.pathname;
        return target !== undefined && target !== location.pathname && dataOf(target) === pathname;
      },
    };
  };
}
