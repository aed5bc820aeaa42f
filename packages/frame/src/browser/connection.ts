/**
 * Keeps a page alive through an outage (decision 0010). The framework loads data and submits forms with
 * `window.fetch`, and unmounts the page, with everything typed into it, when a response does not
 * come from a route, such as an edge's 502. The wrapper below retries loads until a route responds,
 * and settles a failed submission without data. Browser only.
 */
import type { DataRequest, PageFramework } from '../framework/framework.ts';

/** Why a request has no usable response. */
export class Outage {
  /** The HTTP status of the unusable response; 0 without any response. */
  readonly status: number;
  /** Whether the site itself responded, rather than something in front of it. */
  readonly fromSite: boolean;
  /** Milliseconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | null;

  constructor(response: Response | null) {
    this.status = response?.status ?? 0;
    this.fromSite = response !== null && isFromSite(response);
    this.retryAfter = retryAfterOf(response?.headers.get('retry-after') ?? null);
  }
}

/** The outage state, as shown to the visitor. */
export interface ConnectionState {
  /** The outage that a load is waiting out. */
  loading: Outage | null;
  /** The outage that the last submission met. */
  submission: Outage | null;
}

export const connected: ConnectionState = { loading: null, submission: null };

export function connectionState(): ConnectionState {
  return store.state;
}

/** @returns a function that unsubscribes. */
export function subscribe(listener: () => void): () => void {
  store.listeners.add(listener);
  return () => store.listeners.delete(listener);
}

export function dismissSubmission(): void {
  publish(null);
}

/**
 * Whether the site's listener sent the response: it adds the request id to all of its responses.
 */
export function isFromSite(response: Response): boolean {
  return response.headers.has('x-request-id');
}

/**
 * Retries until an attempt succeeds: at least once a second unless `Retry-After` says otherwise,
 * immediately when the network or the visitor returns, and never while the page is hidden.
 *
 * @throws the signal's reason, once aborted.
 */
export async function retryThroughOutages<T>(
  attempt: () => Promise<T | Outage>,
  signal?: AbortSignal | null,
): Promise<T> {
  const load = Symbol();
  try {
    for (let pause = 250; ; pause = Math.min(2 * pause, 1_000)) {
      const result = await attempt();
      signal?.throwIfAborted();
      if (!(result instanceof Outage)) return result;
      store.waiting.set(load, result);
      publish();
      // Back off further when the site itself is failing.
      await waitForRetry(result.retryAfter ?? (result.fromSite ? 1_500 : pause), signal);
      signal?.throwIfAborted();
    }
  } finally {
    if (store.waiting.delete(load)) publish();
  }
}

export interface PageRequests {
  /** `remix` of `@gatehouse/frame/remix`. */
  framework: PageFramework;
  /** Navigates away if the address is not a page of this site. Returns whether it did. */
  leaveFor?: (address: URL) => boolean;
}

/** Wraps `window.fetch` for the framework's own requests on this origin. */
export function keepPageThroughOutages({ framework, leaveFor }: PageRequests): void {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    if (input instanceof Request) return send(input, init);
    const address = new URL(input, window.location.href);
    const isOwn = address.origin === window.location.origin;
    const data = isOwn ? framework.dataRequestOf(address) : null;
    if (!data) return send(input, init);
    // Never resolves, since the document is being unloaded.
    if (leaveFor?.(data.page)) return new Promise(() => undefined);
    const { method = 'GET', signal } = init ?? {};
    const attempt = () => send(address, init).catch(() => null);
    return method === 'GET'
      ? retryThroughOutages(async () => responseOrOutage(framework, await attempt(), data), signal)
      : submitOnce(framework, attempt, signal);
  };
}

const store = {
  state: connected,
  /** Loads that met an outage, each with its latest one. */
  waiting: new Map<symbol, Outage>(),
  listeners: new Set<() => void>(),
};

function publish(submission = store.state.submission): void {
  store.state = { loading: [...store.waiting.values()].at(-1) ?? null, submission };
  for (const listener of store.listeners) listener();
}

async function responseOrOutage(
  framework: PageFramework,
  response: Response | null,
  data: DataRequest,
): Promise<Response | Outage> {
  if (!response) return new Outage(null);
  const { status } = response;
  const mayPass = status >= 500 || status === 429;
  if (framework.isFromRoute(response)) {
    if (!mayPass || data.isForNextPage()) {
      return (await isWhole(response)) ? response : new Outage(null);
    }
  } else if (isFromSite(response) && !mayPass) {
    // The listener will reject this request every time, so let the framework show the error page for its
    // status.
    throw framework.routeError(status);
  }
  void response.body?.cancel();
  return new Outage(response);
}

/** Never retries a submission: without a response, it may or may not have been processed. */
async function submitOnce(
  framework: PageFramework,
  attempt: () => Promise<Response | null>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const response = await attempt();
  const fromRoute = response !== null && framework.isFromRoute(response);
  const isUsable = fromRoute && (await isWhole(response));
  signal?.throwIfAborted();
  if (isUsable) {
    publish(null);
    return response;
  }
  // A truncated response is a lost connection, whatever its status.
  publish(new Outage(fromRoute ? null : response));
  // After an error status the framework does not revalidate, so the form is immediately usable again.
  return framework.noData(response && response.status >= 400 ? response.status : 503);
}

/**
 * Whether the first line of a response arrived completely. It contains the routes' data, and the
 * framework fails on a truncated one. Later lines contain deferred data, which has its own error boundaries.
 */
async function isWhole(response: Response): Promise<boolean> {
  const reader = response.clone().body?.getReader();
  try {
    let chunk = await reader?.read();
    while (chunk?.value && !chunk.value.includes(newline)) chunk = await reader?.read();
  } catch {
    return false;
  }
  void reader?.cancel();
  return true;
}

const newline = 10;

function waitForRetry(pause: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const proceed = () => {
      if (document.visibilityState === 'hidden' && !signal?.aborted) return;
      settled.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(proceed, pause);
    const until = { signal: settled.signal };
    window.addEventListener('online', proceed, until);
    document.addEventListener('visibilitychange', proceed, until);
    signal?.addEventListener('abort', proceed, until);
  });
}

/** @param field seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d+$/.test(field.trim()) ? Number(field) * 1_000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 250), longestPause);
}

/** Upper limit for `Retry-After`, in milliseconds, because a visitor is waiting. */
const longestPause = 30_000;
