/** What a route knows of its request: Remix's `context`, one object a request. */
import { isApiPath } from '~/frame/api-path';
import type { PlatformContext } from '~/platform/platform.server';

export interface SiteContext extends PlatformContext {
  /** What the browser does with the answer: shows it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
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
  { pathname }: URL,
  own: Required<Pick<SiteContext, 'signal' | 'requestId' | 'nonce'>>,
): Required<Omit<SiteContext, 'takePage' | 'styleHash' | 'anonymous'>> {
  const kind = pathname.endsWith('.data') ? 'data' : isApiPath(pathname) ? 'resource' : 'document';
  return { ...own, kind };
}
