/**
 * Keeps a page through an outage (decision 0010). Remix loads data and submits forms by `window.fetch`, and an
 * answer that no route gave, such as an edge's 502, makes it unmount the page with everything typed in it. The
 * wrapper below retries loads until a route answers, and settles a failed submission without data. Browser only.
 */

/** Why a request has no usable answer. */
export class Outage {
  /** The HTTP status of what came instead; 0 when nothing came. */
  readonly status: number;
  /** Whether the site itself answered, and not what stands in front of it. */
  readonly fromSite: boolean;
  /** Milliseconds to wait before the next attempt, where the answer named a time. */
  readonly retryAfter: number | null;

  constructor(answer: Response | null) {
    this.status = answer?.status ?? 0;
    this.fromSite = answer !== null && isFromSite(answer);
    this.retryAfter = retryAfterOf(answer?.headers.get('retry-after') ?? null);
  }
}

/** What the page may tell its visitor. */
export interface ConnectionState {
  /** Why something is still being loaded. */
  loading: Outage | null;
  /** Why the last submission has no answer. */
  submission: Outage | null;
}

export const connected: ConnectionState = { loading: null, submission: null };

export function connectionState(): ConnectionState {
  return store.state;
}

/** @returns ends the subscription. */
export function subscribe(listener: () => void): () => void {
  store.listeners.add(listener);
  return () => store.listeners.delete(listener);
}

export function dismissSubmission(): void {
  publish(null);
}

/** Whether the site's listener answered: it gives every answer the request's id. */
export function isFromSite(answer: Response): boolean {
  return answer.headers.has('x-request-id');
}

/**
 * Repeats an attempt until it succeeds: at least once a second unless the answer named a later time, at once
 * when the network or the visitor comes back, and not while the page is hidden.
 *
 * @throws the signal's reason, once it is aborted.
 */
export async function retryUntilAnswered<T>(
  attempt: () => Promise<T | Outage>,
  signal?: AbortSignal | null,
): Promise<T> {
  const load = Symbol();
  try {
    for (let pause = 250; ; pause = Math.min(2 * pause, 1_000)) {
      const answer = await attempt();
      signal?.throwIfAborted();
      if (!(answer instanceof Outage)) return answer;
      store.waiting.set(load, answer);
      publish();
      // A site that answers and fails gets more time.
      await waitForRetry(answer.retryAfter ?? (answer.fromSite ? 1_500 : pause), signal);
      signal?.throwIfAborted();
    }
  } finally {
    if (store.waiting.delete(load)) publish();
  }
}

export interface PageRequests {
  /** Leaves the page for an address that is none of the site's pages, and says whether it did. */
  leaveFor?: (address: URL) => boolean;
}

/** Wraps `window.fetch` for Remix's own requests: those to a `.data` address of this site, given as a URL. */
export function keepPageThroughOutages({ leaveFor }: PageRequests = {}): void {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    if (input instanceof Request) return send(input, init);
    const address = new URL(input, window.location.href);
    if (address.origin !== window.location.origin || !address.pathname.endsWith('.data')) {
      return send(input, init);
    }
    address.pathname = address.pathname.slice(0, -'.data'.length);
    // The document is being left.
    if (leaveFor?.(withoutRoutes(address))) return new Promise(() => undefined);
    const { method = 'GET', signal } = init ?? {};
    const attempt = () => send(input, init).catch(() => null);
    return method === 'GET'
      ? retryUntilAnswered(async () => readAnswer(await attempt(), address), signal)
      : submitOnce(attempt, signal);
  };
}

/** The address of a page, without the names of the routes whose data is wanted. */
function withoutRoutes(address: URL): URL {
  const page = new URL(address);
  page.searchParams.delete('_routes');
  return page;
}

const store = {
  state: connected,
  /** Loads that met an outage, each with the last one it met. */
  waiting: new Map<symbol, Outage>(),
  listeners: new Set<() => void>(),
};

function publish(submission = store.state.submission): void {
  store.state = { loading: [...store.waiting.values()].at(-1) ?? null, submission };
  for (const listener of store.listeners) listener();
}

async function readAnswer(answer: Response | null, address: URL): Promise<Response | Outage> {
  if (!answer) return new Outage(null);
  const { status } = answer;
  const mayPass = status >= 500 || status === 429;
  if (isFromRoute(answer)) {
    if (!mayPass || isForNextPage(address)) {
      return (await isWhole(answer)) ? answer : new Outage(null);
    }
  } else if (isFromSite(answer) && !mayPass) {
    // The listener refuses this request however often it is repeated: Remix shows the error page of the status.
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what Remix takes for a route's error
    throw { status, statusText: '', internal: false, data: null };
  }
  void answer.body?.cancel();
  return new Outage(answer);
}

/** Never repeats a submission: without an answer, nobody knows whether it arrived. */
async function submitOnce(
  attempt: () => Promise<Response | null>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const answer = await attempt();
  const fromRoute = answer !== null && isFromRoute(answer);
  const answered = fromRoute && (await isWhole(answer));
  signal?.throwIfAborted();
  if (answered) {
    publish(null);
    return answer;
  }
  // A route's answer that broke off is a lost connection, whatever its status.
  publish(new Outage(fromRoute ? null : answer));
  // After an error status Remix runs no loaders, and the form is ready again at once.
  return new Response(noData, { status: answer && answer.status >= 400 ? answer.status : 503 });
}

/** `{ data: null }` in the wire format of `packages/turbo-stream`, as Remix reads an action's answer. */
const noData = '[{"data":null}]\n';

/** Remix marks what its routes answered, errors included. */
function isFromRoute(answer: Response): boolean {
  return answer.headers.has('x-remix-response');
}

/** Whether this data is for a page that the visitor is on the way to, which will show its own error. */
function isForNextPage({ pathname }: URL): boolean {
  const { navigation, location } = window.__remixRouter.state;
  const target = navigation.location?.pathname;
  return target !== undefined && target !== location.pathname && dataPath(target) === pathname;
}

/** The address of a page's data as Remix makes it, without `.data`. */
function dataPath(pathname: string): string {
  return pathname === '/' ? '/_root' : pathname.replace(/\/$/, '');
}

/**
 * Whether the first line of an answer came whole. It holds the data of the routes, and Remix fails on half of
 * it. Later lines hold what a loader deferred, which has error boundaries of its own.
 */
async function isWhole(answer: Response): Promise<boolean> {
  const reader = answer.clone().body?.getReader();
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

/** @param field seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d+$/.test(field.trim()) ? Number(field) * 1_000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 250), longestPause);
}

/** Milliseconds that `Retry-After` may ask for at most: a visitor is waiting. */
const longestPause = 30_000;
