/** What a route knows of its request: Remix's `context`, one object a request. */
import { returnPathOf } from '~/platform/auth-navigation';
import type { PlatformContext } from '~/platform/platform.server';
import { isResource } from './request-checks.server';

export interface SiteContext extends PlatformContext {
  /** For the page's own scripts. */
  nonce?: string;
  /** Takes a page that is whole already. The `Response` then has its status and headers alone. */
  takePage?: (page: Buffer) => void;
  /** Set by the page for its policy: the digest of the styles that development puts into it. */
  styleHash?: string;
}

declare module '@remix-run/node' {
  // Every field is optional, so that a plain Remix server can run the app too.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- this is how Remix is told
  interface AppLoadContext extends SiteContext {}
}

/**
 * The context of one request.
 * @param url the request's address, as the browser asked for it.
 */
export function createRequestContext(
  url: URL,
  own: Required<Pick<SiteContext, 'signal' | 'requestId' | 'nonce'>>,
): Required<Omit<SiteContext, 'takePage' | 'styleHash'>> {
  const data = url.pathname.endsWith('.data');
  return {
    ...own,
    kind: data ? 'data' : isResource(url) ? 'resource' : 'document',
    returnPath: returnPathOf(data ? pageOf(url) : url),
  };
}

/** The page whose data a client navigation asks for. */
function pageOf(url: URL): { pathname: string; search: string } {
  const page = new URL(url);
  page.searchParams.delete('_routes');
  const pathname = page.pathname.replace(/\.data$/, '');
  return { pathname: pathname === '/_root' ? '/' : pathname, search: page.search };
}
