/** What a route knows about its request: Remix's `context`, one object per request. */
export interface RequestContext {
  /** Aborts when the visitor disconnects. */
  signal?: AbortSignal;
  /** In every log line of this request, and in its `x-request-id` header. */
  requestId?: string;
  /** The client's IP address, according to the connection and the trusted proxies. */
  clientAddress?: string;
  /** The request's `Cookie` header, or an empty string. Untrusted input. */
  cookie?: string;
  /** Set for a machine's route: the request is signed out, whatever it carries. */
  anonymous?: boolean;
  /** What the browser does with the response: renders it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
  /** For the page's own scripts. */
  nonce?: string;
  /** Receives a complete page. The `Response` then has only status and headers. */
  takePage?: (page: Buffer) => void;
  /** Set by the page for its content security policy: the digest of development's inlined styles. */
  styleHash?: string;
}

declare module '@remix-run/node' {
  // All fields are optional, so that the app also runs on a plain Remix server.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- this is how Remix is told
  interface AppLoadContext extends RequestContext {}

  interface Future {
    v3_singleFetch: true;
  }
}

/**
 * The context of a request.
 *
 * @param url the address as the browser requested it.
 */
export function createRequestContext(
  { pathname }: URL,
  isResource: (pathname: string) => boolean,
  own: Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce'>>,
): Required<Pick<RequestContext, 'signal' | 'requestId' | 'nonce' | 'kind'>> {
  const kind = pathname.endsWith('.data') ? 'data' : isResource(pathname) ? 'resource' : 'document';
  return { ...own, kind };
}
