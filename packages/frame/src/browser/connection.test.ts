// @vitest-environment happy-dom
/**
 * Which responses a page retries, accepts or gives up on, how often it retries, and the wire format
 * of the installed decoder.
 */
import { decode } from 'turbo-stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remix } from '../framework/remix/remix.ts';
import { connectionState, dismissSubmission, keepPageThroughOutages } from './connection.ts';

const leaveFor = vi.fn<(address: URL) => boolean>();
const sent = vi.fn<typeof fetch>();
const page = new URL('/gallery.data', window.location.href);
const routes = { 'x-remix-response': 'yes', 'x-request-id': 'r1' };

beforeEach(() => {
  vi.useFakeTimers();
  sent.mockReset();
  vi.stubGlobal('fetch', sent);
  goTo(undefined);
  leaveFor.mockReset();
  keepPageThroughOutages({ framework: remix, leaveFor });
});

afterEach(() => {
  dismissSubmission();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The target of a navigation away from `/gallery`. Undefined: none. */
function goTo(pathname: string | undefined, search = ''): void {
  const navigation = pathname === undefined ? {} : { location: { pathname, search } };
  const location = { pathname: '/gallery', search: '' };
  vi.stubGlobal('__remixRouter', { state: { navigation, location } });
}

const fromRoute = (status = 200, body: BodyInit = '{}\n') =>
  new Response(body, { status, headers: routes });
const fromListener = (status: number) =>
  new Response('{}', { status, headers: { 'x-request-id': 'r1' } });
const fromEdge = (status: number, headers = {}) => new Response('<h1>No</h1>', { status, headers });

/** A body that sends these chunks, then fails or stalls. */
const body = (text: string, end: 'fails' | 'rests') =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (end === 'fails') controller.error(new TypeError('network error'));
    },
  });

test('a submission without a response settles as an action without data, and is not retried', async () => {
  sent.mockRejectedValue(new TypeError('Failed to fetch'));
  const response = await window.fetch(page, { method: 'POST', body: 'prompt=a+fox' });
  expect(response.status).toBeGreaterThanOrEqual(400);
  if (!response.body) throw new Error('There is no body.');
  expect((await decode(response.body)).value).toEqual({ data: null });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(connectionState().submission).toMatchObject({ status: 0 });
});

test.each([
  ['5', 5_000],
  [new Date(Date.now() + 10_000).toUTCString(), 10_000],
  ['86400', 30_000],
])('an edge’s retry-after of %s leads to a retry after about %i ms', async (field, ms) => {
  vi.setSystemTime(Date.now());
  sent.mockResolvedValueOnce(new Response('', { status: 429, headers: { 'retry-after': field } }));
  sent.mockResolvedValueOnce(new Response('{}\n', { headers: routes }));
  const pending = window.fetch(page);
  await vi.advanceTimersByTimeAsync(ms - 2_000);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(connectionState().loading).toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await pending).status).toBe(200);
  expect(connectionState().loading).toBeNull();
});

test('a response truncated in its first line is retried, one that waits for its second line is accepted', async () => {
  sent.mockResolvedValueOnce(fromRoute(200, body('[{"routes/gallery":', 'fails')));
  sent.mockResolvedValueOnce(fromRoute(200, body('[{"routes/gallery":1}]\n', 'rests')));
  const pending = window.fetch(page);
  await vi.advanceTimersByTimeAsync(1_000);
  const reader = (await pending).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('[{"routes/gallery":1}]\n');
  expect(sent).toHaveBeenCalledTimes(2);
});

test.each<[string, () => Response, number, boolean]>([
  ['a route’s 500', () => fromRoute(500), 500, true],
  ['a route’s 503', () => fromRoute(503), 503, true],
  ['a route’s 429', () => fromRoute(429), 429, true],
  ['the listener’s 503', () => fromListener(503), 503, true],
  ['the listener’s 429', () => fromListener(429), 429, true],
  ['an edge’s 403', () => fromEdge(403), 403, false],
  ['an edge’s page in place of data', () => fromEdge(200), 200, false],
])(
  '%s in the background is retried, and reported with its origin',
  async (_, respond, status, fromSite) => {
    sent.mockImplementation(() => Promise.resolve(respond()));
    const pending = window.fetch(page);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent.mock.calls.length).toBeGreaterThan(2);
    expect(connectionState().loading).toMatchObject({ status, fromSite });
    sent.mockResolvedValue(fromRoute());
    await vi.advanceTimersByTimeAsync(1_500);
    expect((await pending).status).toBe(200);
    expect(connectionState().loading).toBeNull();
  },
);

test.each([
  ['/account', '/account.data'],
  ['/account/', '/account.data'],
  ['/', '/_root.data'],
])(
  'while navigating to %s, an error of its route is passed on to its error page',
  async (target, data) => {
    goTo(target);
    sent.mockImplementation(() => Promise.resolve(fromRoute(503)));
    expect((await window.fetch(data)).status).toBe(503);
    expect(connectionState().loading).toBeNull();
  },
);

test.each([
  ['to the same page with another query', '/gallery', '/gallery.data?cursor=2'],
  ['elsewhere, while this page’s own data is loading', '/account', '/gallery.data'],
])('while navigating %s, an error is retried', async (_, target, data) => {
  goTo(target);
  sent.mockResolvedValueOnce(fromRoute(503)).mockResolvedValueOnce(fromRoute());
  const pending = window.fetch(data);
  await vi.advanceTimersByTimeAsync(1_500);
  expect((await pending).status).toBe(200);
});

test('a page retries at least once a second, and less often when the site itself fails', async () => {
  const attemptsInTenSeconds = async (respond: () => Response) => {
    sent.mockReset().mockImplementation(() => Promise.resolve(respond()));
    const leaving = new AbortController();
    const pending = window.fetch(page, { signal: leaving.signal }).catch(() => null);
    await vi.advanceTimersByTimeAsync(10_000);
    leaving.abort();
    await pending;
    return sent.mock.calls.length;
  };
  const every = (ms: number) => 1 + Math.floor(10_000 / ms);
  expect(await attemptsInTenSeconds(() => fromEdge(502))).toBeGreaterThanOrEqual(every(1_000));
  expect(await attemptsInTenSeconds(() => fromRoute(502))).toBe(every(1_500));
  // An invalid `retry-after` changes nothing.
  const hurried = await attemptsInTenSeconds(() => fromEdge(502, { 'retry-after': '0' }));
  expect(hurried).toBeLessThanOrEqual(every(250));
  const odd = await attemptsInTenSeconds(() => fromEdge(502, { 'retry-after': 'soon' }));
  expect(odd).toBeGreaterThanOrEqual(every(1_000));
  expect(odd).toBeLessThan(every(500));
});

test('an aborted load ends, and so does its notice', async () => {
  sent.mockResolvedValue(new Response('', { status: 502 }));
  const leaving = new AbortController();
  const pending = window.fetch(page, { signal: leaving.signal });
  const ended = expect(pending).rejects.toBe('left');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(connectionState().loading).toMatchObject({ status: 502 });
  leaving.abort('left');
  await ended;
  expect(connectionState().loading).toBeNull();
});

test('a load that is aborted during a request ends immediately', async () => {
  let arrive: (response: Response) => void = () => undefined;
  sent.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const leaving = new AbortController();
  const pending = window.fetch(page, { signal: leaving.signal });
  const ended = expect(pending).rejects.toBe('left');
  leaving.abort('left');
  arrive(fromEdge(502));
  await ended;
  expect(connectionState().loading).toBeNull();
});

test('a submission refused by an edge keeps its status, and a success from an edge counts as an outage', async () => {
  const submit = async (response: Response) => {
    sent.mockResolvedValue(response);
    return (await window.fetch(page, { method: 'POST' })).status;
  };
  expect(await submit(fromEdge(403))).toBe(403);
  expect(connectionState().submission).toMatchObject({ status: 403, fromSite: false });
  expect(await submit(fromListener(413))).toBe(413);
  expect(connectionState().submission).toMatchObject({ status: 413, fromSite: true });
  expect(await submit(fromEdge(200))).toBe(503);
  expect(connectionState().submission).toMatchObject({ status: 200 });
  // Its response was truncated, so whether it was processed is unknown.
  expect(await submit(fromRoute(200, body('[{"da', 'fails')))).toBe(503);
  expect(connectionState().submission).toMatchObject({ status: 0 });
  // A route's response is not an outage, even if it is an error.
  expect(await submit(fromRoute(422))).toBe(422);
  expect(connectionState().submission).toBeNull();
});

test('an aborted submission reports no outage', async () => {
  const leaving = new AbortController();
  sent.mockImplementation(() => {
    leaving.abort('left');
    return Promise.reject(new TypeError('aborted'));
  });
  const { signal } = leaving;
  await expect(window.fetch(page, { method: 'POST', signal })).rejects.toBe('left');
  expect(connectionState().submission).toBeNull();
});

test('a data request for a path outside the site navigates to its document', () => {
  leaveFor.mockReturnValue(true);
  void window.fetch('/elsewhere/door.data?return=%2Fgallery&_routes=root');
  expect(leaveFor.mock.calls.map(([{ pathname, search }]) => pathname + search)).toEqual([
    '/elsewhere/door?return=%2Fgallery',
  ]);
  expect(sent).not.toHaveBeenCalled();
});

test('a permanent refusal of the listener becomes the error page for its status', async () => {
  const headers = { 'x-request-id': 'r1' };
  sent.mockResolvedValue(new Response('{}', { status: 400, headers }));
  await expect(window.fetch(page)).rejects.toMatchObject({ status: 400, internal: false });
});

test.each(['/api/user', '/gallery', 'https://elsewhere.test/gallery.data', new Request(page)])(
  'a request to %s is passed through unchanged',
  async (address) => {
    sent.mockResolvedValue(new Response('', { status: 503 }));
    expect((await window.fetch(address)).status).toBe(503);
    expect(connectionState().loading).toBeNull();
  },
);

test.each([
  ['/posts', '?s=a%20b&x', '/posts.data?s=a+b&x=', '/posts.data?s=a%20b&x'],
  [
    '/posts',
    '?s=a%20b',
    '/posts.data?s=a+b&_routes=routes%2Fposts%2Croot',
    '/posts.data?s=a%20b&_routes=routes%2Fposts%2Croot',
  ],
  ['/', '?s=%7e', '/_root.data?s=%7E', '/_root.data?s=%7e'],
  ['/posts', '', '/posts.data?_routes=root', '/posts.data?_routes=root'],
  // Another page's data, which a fetcher loads.
  ['/posts', '?s=a%20b', '/other.data?s=a+b', '/other.data?s=a+b'],
  ['/posts', '?s=a%20b', '/posts.data?s=c+d', '/posts.data?s=c+d'],
])(
  'at %s%s, a request for %s is sent as %s [W05]',
  async (pathname, search, requested, address) => {
    goTo(pathname, search);
    sent.mockResolvedValueOnce(fromRoute());
    await window.fetch(new URL(requested, window.location.href));
    expect(sent.mock.calls.map(([url]) => url)).toEqual([new URL(address, window.location.href)]);
  },
);
