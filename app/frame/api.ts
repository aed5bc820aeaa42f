/** A page's small questions to the site's own `/api/` addresses. What went wrong is a value, not an exception. */

declare const sends: unique symbol;

/** What a resource route answers, with the type of its JSON for whoever asks it. */
export interface ApiResponse<T> extends Response {
  readonly [sends]: T;
}

/** The JSON that a route's loader or action sends; `unknown` where it answers with a `Response` of its own. */
export type SentBy<Route extends (...call: never[]) => unknown> =
  Awaited<ReturnType<Route>> extends ApiResponse<infer T> ? T : unknown;

/**
 * - `code`: the site's own, from `{ "error": code }`; `unauthorized` for every 401; `connection_lost`, with
 *   status 0, where no answer came; `aborted`; `unexpected_answer` where something else answered
 */
export type ApiAnswer<T> = { ok: true; data: T } | { ok: false; status: number; code: string };

export interface ApiQuestion {
  /** Default: GET, or POST with a body. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Such as an `idempotency-key`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The address, where it is one of this site's own under `/api/` (W24). Browser only. */
export function localApiUrl(address: string): URL | null {
  if (!URL.canParse(address, window.location.href)) return null;
  const url = new URL(address, window.location.href);
  return url.origin === window.location.origin && url.pathname.startsWith('/api/') ? url : null;
}

/**
 * Asks with the visitor's session. Browser only.
 *
 * @throws {Error} synchronously, and only for an address of another origin or outside `/api/`.
 */
export function askApi<T>(address: string, question: ApiQuestion = {}): Promise<ApiAnswer<T>> {
  const url = localApiUrl(address);
  if (!url) throw new Error('Questions require an app-local /api/... URL');
  return send(url, question);
}

/** What a status and a body come to. */
export function readAnswer<T>(status: number, text: string): ApiAnswer<T> {
  // The body of a 401 is the platform's (W10), and has no code of the site's.
  if (status === 401) return { ok: false, status, code: 'unauthorized' };
  const unexpected = { ok: false, status, code: 'unexpected_answer' } as const;
  try {
    const value: unknown = text === '' ? null : JSON.parse(text);
    // Not checked: the type is that of the site's own route, built together with this.
    if (status >= 200 && status <= 299) return { ok: true, data: value as T };
    const { error } = value as { error?: unknown };
    return typeof error === 'string' ? { ok: false, status, code: error } : unexpected;
  } catch {
    return unexpected;
  }
}

async function send<T>(
  url: URL,
  { method, body, headers, signal }: ApiQuestion,
): Promise<ApiAnswer<T>> {
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
  return readAnswer(response.status, text);
}
