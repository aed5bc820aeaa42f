/**
 * Keeps a page through an outage (decision 0010). Remix asks loaders and actions through `window.fetch`,
 * and whatever is no answer of theirs, such as an edge's 502, unmounts the page with all that was typed in
 * it. Here a question waits and is asked again, and a submission settles without data. Browser only.
 */
import { goToPlatformRoute, platformRoutes } from '~/platform/auth-navigation';

/** Why a question has no usable answer. */
export class Outage {
  /** The HTTP status of what came instead; 0 when nothing came. */
  readonly status: number;
  /** Whether the site itself said so, and not what stands in front of it. */
  readonly isSites: boolean;
  /** Milliseconds to wait before asking again, where the answer named a time. */
  readonly retryAfter: number | null;

  constructor(answer: Response | null) {
    this.status = answer?.status ?? 0;
    this.isSites = answer !== null && isSites(answer);
    this.retryAfter = retryAfterOf(answer?.headers.get('retry-after') ?? null);
  }
}

/** What the page may tell its visitor. */
export interface ConnectionState {
  /** Why a question still waits for its answer. */
  asking: Outage | null;
  /** Why the last submission has no answer. */
  sending: Outage | null;
}

export const calm: ConnectionState = { asking: null, sending: null };

export function connectionState(): ConnectionState {
  return store.state;
}

/** @returns ends the subscription. */
export function subscribe(listener: () => void): () => void {
  store.listeners.add(listener);
  return () => store.listeners.delete(listener);
}

export function dismissSending(): void {
  publish(null);
}

/** Whether the listener sent this, under the id that it gives every request. */
export function isSites(answer: Response): boolean {
  return answer.headers.has('x-request-id');
}

/**
 * Asks until there is an answer: again within a second, at once when the network or the visitor is
 * back, and not while nobody looks at the page.
 *
 * @throws the signal's reason, once it is aborted.
 */
export async function keepAsking<T>(
  attempt: () => Promise<T | Outage>,
  signal?: AbortSignal | null,
): Promise<T> {
  const question = Symbol();
  try {
    for (let pause = 250; ; pause = Math.min(2 * pause, 1_000)) {
      const answer = await attempt();
      signal?.throwIfAborted();
      if (!(answer instanceof Outage)) return answer;
      store.waiting.set(question, answer);
      publish();
      // A site that is there and fails gets more time.
      await untilNextTry(answer.retryAfter ?? (answer.isSites ? 1_500 : pause), signal);
      signal?.throwIfAborted();
    }
  } finally {
    if (store.waiting.delete(question)) publish();
  }
}

/** Wraps `window.fetch` for Remix's own questions, those of `.data` addresses of this site. */
export function keepPageThroughOutages(): void {
  const send = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, window.location.href);
    if (address.origin !== window.location.origin || !address.pathname.endsWith('.data')) {
      return send(input, init);
    }
    address.pathname = address.pathname.slice(0, -'.data'.length);
    if (address.pathname.startsWith(platformRoutes)) {
      address.searchParams.delete('_routes');
      goToPlatformRoute(address);
      // The document is being left.
      return new Promise(() => undefined);
    }
    const { method = 'GET', signal } = init ?? {};
    const attempt = () => send(input, init).catch(() => null);
    return method === 'GET'
      ? keepAsking(async () => readAnswer(await attempt(), address), signal)
      : submit(attempt, signal);
  };
}

const store = {
  state: calm,
  waiting: new Map<symbol, Outage>(),
  listeners: new Set<() => void>(),
};

function publish(sending = store.state.sending): void {
  store.state = { asking: [...store.waiting.values()].at(-1) ?? null, sending };
  for (const listener of store.listeners) listener();
}

async function readAnswer(answer: Response | null, address: URL): Promise<Response | Outage> {
  if (!answer) return new Outage(null);
  const { status } = answer;
  if (isRoutes(answer)) {
    const failed = status >= 500 || status === 429;
    if (!failed || leavesPage(address)) {
      return (await isWhole(answer)) ? answer : new Outage(null);
    }
  } else if (isSites(answer) && status < 500 && status !== 429) {
    // The listener refuses this request, however often it is asked: for the error page of its status.
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what Remix takes for a route's error
    throw { status, statusText: '', internal: false, data: null };
  }
  void answer.body?.cancel();
  return new Outage(answer);
}

/** Never sent twice: nobody knows whether the first one arrived. */
async function submit(
  attempt: () => Promise<Response | null>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  const answer = await attempt();
  const answered = answer && isRoutes(answer) && (await isWhole(answer));
  signal?.throwIfAborted();
  if (answered) {
    publish(null);
    return answer;
  }
  publish(new Outage(answer && isRoutes(answer) ? null : answer));
  // With an error's status Remix asks no loader after it, and the form is ready again at once.
  return new Response(noData, { status: answer && answer.status >= 400 ? answer.status : 503 });
}

/** `{ data: null }` in the wire format of `packages/turbo-stream`, as Remix reads an action's answer. */
const noData = '[{"data":null}]\n';

/** Remix marks what its routes answered, errors included. */
function isRoutes(answer: Response): boolean {
  return answer.headers.has('x-remix-response');
}

/** Whether the visitor waits for this data to see another page, which will show its own error. */
function leavesPage({ pathname }: URL): boolean {
  const { navigation, location } = window.__remixRouter.state;
  const target = navigation.location?.pathname;
  return target !== undefined && target !== location.pathname && dataPath(target) === pathname;
}

/** As Remix makes the address of a page's data, without its `.data`. */
function dataPath(pathname: string): string {
  return pathname === '/' ? '/_root' : pathname.replace(/\/$/, '');
}

/**
 * Whether the first line of an answer came whole: the data of its routes, which a connection that breaks
 * would cut in two. Later lines are what a loader deferred, and have a boundary of their own in the page.
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

function untilNextTry(pause: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const next = () => {
      if (document.visibilityState === 'hidden' && !signal?.aborted) return;
      settled.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(next, pause);
    const until = { signal: settled.signal };
    window.addEventListener('online', next, until);
    document.addEventListener('visibilitychange', next, until);
    signal?.addEventListener('abort', next, until);
  });
}

/** @param field seconds, or a date (RFC 9110, section 10.2.3). */
function retryAfterOf(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d+$/.test(field.trim()) ? Number(field) * 1_000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 250), longestPause);
}

/** Milliseconds. An edge that asks for more is asked all the same: somebody waits. */
const longestPause = 30_000;
