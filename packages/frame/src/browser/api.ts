/**
 * Small JSON requests from a page to the site's own `/api/` routes. A failure is a value, not an
 * exception.
 */

declare const sends: unique symbol;

/** A resource route's response, typed with the JSON that it carries. */
export interface ApiResponse<T> extends Response {
  readonly [sends]: T;
}

/**
 * The JSON type that a route's loader or action sends; `unknown` where it returns a plain
 * `Response`.
 */
export type SentBy<Route extends (...call: never[]) => unknown> =
  Awaited<ReturnType<Route>> extends ApiResponse<infer T> ? T : unknown;

/**
 * - `code`: the site's own, from `{ "error": code }`; `unauthorized` for every 401;
 *   `connection_lost`, with status 0, when no response arrived; `aborted`; `unexpected_response` when
 *   the response is not of the site's making
 */
export type ApiResult<T> = { ok: true; data: T } | { ok: false; status: number; code: string };

export interface ApiRequest {
  /** Defaults to GET, or to POST when there is a body. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** For example `idempotency-key`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Resolves an address, or null unless it is on this origin and under `/api/` (W24). Browser only.
 */
export function localApiUrl(address: string): URL | null {
  if (!URL.canParse(address, window.location.href)) return null;
  const url = new URL(address, window.location.href);
  return url.origin === window.location.origin && url.pathname.startsWith('/api/') ? url : null;
}

/**
 * Sends a request with the visitor's session. Browser only.
 *
 * @throws {Error} synchronously, and only for an address on another origin or outside `/api/`.
 */
export function requestApi<T>(address: string, request: ApiRequest = {}): Promise<ApiResult<T>> {
  const url = localApiUrl(address);
  if (!url) throw new Error('Requests require an app-local /api/... URL');
  return send(url, request);
}

/** Turns a status and a body into a result. */
export function resultOf<T>(status: number, text: string): ApiResult<T> {
  // A 401 carries the platform's body (W10), which has no error code of the site's.
  if (status === 401) return { ok: false, status, code: 'unauthorized' };
  const unexpected = { ok: false, status, code: 'unexpected_response' } as const;
  try {
    const value: unknown = text === '' ? null : JSON.parse(text);
    // Not validated: the body comes from the site's own route, which is deployed together with this
    // code.
    if (status >= 200 && status <= 299) return { ok: true, data: value as T };
    const { error } = value as { error?: unknown };
    return typeof error === 'string' ? { ok: false, status, code: error } : unexpected;
  } catch {
    return unexpected;
  }
}

async function send<T>(
  url: URL,
  { method, body, headers, signal }: ApiRequest,
): Promise<ApiResult<T>> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url.href, {
      credentials: 'include',
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      ...(sent !== undefined && { body: sent }),
      headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(signal && { signal }),
    });
    text = await response.text();
  } catch {
    return { ok: false, status: 0, code: signal?.aborted ? 'aborted' : 'connection_lost' };
  }
  return resultOf(response.status, text);
}
