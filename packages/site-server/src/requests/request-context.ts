/** What a route knows of its request: Remix's `context`, one object a request. */

export interface RequestContext {
  /** Aborts when the visitor goes away. */
  signal?: AbortSignal;
  /** In every log line of this request, and in its `x-request-id` header. */
  requestId?: string;
  /** The visitor's address, as far as the connection and the trusted proxies tell. */
  clientAddress?: string;
  /** The request's `Cookie` header; empty where it has none. In a visitor's hands: parse it like any input. */
  cookie?: string;
  /** Nobody is signed in to this request, whatever it carries: its route is for machines. */
  anonymous?: boolean;
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
  interface AppLoadContext extends RequestContext {}

  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * The context of one request.
 * @param url the request's address, as the browser asked for it.
 */
export function createRequestContext(
  { pathname }: URL,
  isResource: (pathname: string) => boolean,
  own: Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce'>>,
): Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce' | 'kind'>> {
  const kind = pathname.endsWith('.data') ? 'data' : isResource(pathname) ? 'resource' : 'document';
  return { ...own, kind };
}
