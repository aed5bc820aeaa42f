// @vitest-environment happy-dom
/** Which answers a page waits for, takes or gives up on, how often it asks, and the wire of the installed decoder. */
import { decode } from 'turbo-stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionState, dismissSubmission, keepPageThroughOutages } from './connection';

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
  keepPageThroughOutages({ leaveFor });
});

afterEach(() => {
  dismissSubmission();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page is `/gallery`. Undefined: it stays there. */
function goTo(pathname: string | undefined): void {
  const navigation = pathname === undefined ? {} : { location: { pathname } };
  vi.stubGlobal('__remixRouter', { state: { navigation, location: { pathname: '/gallery' } } });
}

const fromRoute = (status = 200, body: BodyInit = '{}\n') =>
  new Response(body, { status, headers: routes });
const fromListener = (status: number) =>
  new Response('{}', { status, headers: { 'x-request-id': 'r1' } });
const fromEdge = (status: number, headers = {}) => new Response('<h1>No</h1>', { status, headers });

/** A body that goes as far as this, and then fails or rests. */
const body = (text: string, end: 'fails' | 'rests') =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (end === 'fails') controller.error(new TypeError('network error'));
    },
  });

test('a submission without an answer settles as an action that says nothing, and is not sent again', async () => {
  sent.mockRejectedValue(new TypeError('Failed to fetch'));
  const answer = await window.fetch(page, { method: 'POST', body: 'prompt=a+fox' });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  if (!answer.body) throw new Error('There is no body.');
  expect((await decode(answer.body)).value).toEqual({ data: null });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(connectionState().submission).toMatchObject({ status: 0 });
});

test.each([
  ['5', 5_000],
  [new Date(Date.now() + 10_000).toUTCString(), 10_000],
  ['86400', 30_000],
])(
  'an edge that asks to wait for %s is asked again within %i ms, and not much before',
  async (field, ms) => {
    vi.setSystemTime(Date.now());
    sent.mockResolvedValueOnce(
      new Response('', { status: 429, headers: { 'retry-after': field } }),
    );
    sent.mockResolvedValueOnce(new Response('{}\n', { headers: routes }));
    const asked = window.fetch(page);
    await vi.advanceTimersByTimeAsync(ms - 2_000);
    expect(sent).toHaveBeenCalledTimes(1);
    expect(connectionState().loading).toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await asked).status).toBe(200);
    expect(connectionState().loading).toBeNull();
  },
);

test('an answer that breaks off in its first line is asked for again, one that waits for its second is there', async () => {
  sent.mockResolvedValueOnce(fromRoute(200, body('[{"routes/gallery":', 'fails')));
  sent.mockResolvedValueOnce(fromRoute(200, body('[{"routes/gallery":1}]\n', 'rests')));
  const asked = window.fetch(page);
  await vi.advanceTimersByTimeAsync(1_000);
  const reader = (await asked).body?.getReader();
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
  '%s in the background is waited out, and named as what it is',
  async (_, answer, status, fromSite) => {
    sent.mockImplementation(() => Promise.resolve(answer()));
    const asked = window.fetch(page);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent.mock.calls.length).toBeGreaterThan(2);
    expect(connectionState().loading).toMatchObject({ status, fromSite });
    sent.mockResolvedValue(fromRoute());
    await vi.advanceTimersByTimeAsync(1_500);
    expect((await asked).status).toBe(200);
    expect(connectionState().loading).toBeNull();
  },
);

test.each([
  ['/account', '/account.data'],
  ['/account/', '/account.data'],
  ['/', '/_root.data'],
])('on the way to %s, an error of its route is its own to show', async (target, data) => {
  goTo(target);
  sent.mockImplementation(() => Promise.resolve(fromRoute(503)));
  expect((await window.fetch(data)).status).toBe(503);
  expect(connectionState().loading).toBeNull();
});

test.each([
  ['to the same page with another query', '/gallery', '/gallery.data?cursor=2'],
  ['elsewhere, while this page’s own data is loaded', '/account', '/gallery.data'],
])('on the way %s, an error is waited out', async (_, target, data) => {
  goTo(target);
  sent.mockResolvedValueOnce(fromRoute(503)).mockResolvedValueOnce(fromRoute());
  const asked = window.fetch(data);
  await vi.advanceTimersByTimeAsync(1_500);
  expect((await asked).status).toBe(200);
});

test('a page asks at least once a second, and less often where the site itself fails', async () => {
  const attemptsInTenSeconds = async (answer: () => Response) => {
    sent.mockReset().mockImplementation(() => Promise.resolve(answer()));
    const leaving = new AbortController();
    const asked = window.fetch(page, { signal: leaving.signal }).catch(() => null);
    await vi.advanceTimersByTimeAsync(10_000);
    leaving.abort();
    await asked;
    return sent.mock.calls.length;
  };
  const every = (ms: number) => 1 + Math.floor(10_000 / ms);
  expect(await attemptsInTenSeconds(() => fromEdge(502))).toBeGreaterThanOrEqual(every(1_000));
  expect(await attemptsInTenSeconds(() => fromRoute(502))).toBe(every(1_500));
  // What asks for nothing sensible is neither hammered nor given up.
  const hurried = await attemptsInTenSeconds(() => fromEdge(502, { 'retry-after': '0' }));
  expect(hurried).toBeLessThanOrEqual(every(250));
  const odd = await attemptsInTenSeconds(() => fromEdge(502, { 'retry-after': 'soon' }));
  expect(odd).toBeGreaterThanOrEqual(every(1_000));
  expect(odd).toBeLessThan(every(500));
});

test('a question that is given up ends, and takes its notice along', async () => {
  sent.mockResolvedValue(new Response('', { status: 502 }));
  const leaving = new AbortController();
  const asked = window.fetch(page, { signal: leaving.signal });
  const ended = expect(asked).rejects.toBe('left');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(connectionState().loading).toMatchObject({ status: 502 });
  leaving.abort('left');
  await ended;
  expect(connectionState().loading).toBeNull();
});

test('a question that is given up while it is under way ends at once', async () => {
  let arrive: (answer: Response) => void = () => undefined;
  sent.mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  const leaving = new AbortController();
  const asked = window.fetch(page, { signal: leaving.signal });
  const ended = expect(asked).rejects.toBe('left');
  leaving.abort('left');
  arrive(fromEdge(502));
  await ended;
  expect(connectionState().loading).toBeNull();
});

test('a submission that an edge refuses has its status, and one that an edge answers is none', async () => {
  const submit = async (answer: Response) => {
    sent.mockResolvedValue(answer);
    return (await window.fetch(page, { method: 'POST' })).status;
  };
  expect(await submit(fromEdge(403))).toBe(403);
  expect(connectionState().submission).toMatchObject({ status: 403, fromSite: false });
  expect(await submit(fromListener(413))).toBe(413);
  expect(connectionState().submission).toMatchObject({ status: 413, fromSite: true });
  expect(await submit(fromEdge(200))).toBe(503);
  expect(connectionState().submission).toMatchObject({ status: 200 });
  // Whether it was done nobody knows: its answer broke off.
  expect(await submit(fromRoute(200, body('[{"da', 'fails')))).toBe(503);
  expect(connectionState().submission).toMatchObject({ status: 0 });
  // What a route answers is no outage, errors included.
  expect(await submit(fromRoute(422))).toBe(422);
  expect(connectionState().submission).toBeNull();
});

test('a submission that is given up says nothing', async () => {
  const leaving = new AbortController();
  sent.mockImplementation(() => {
    leaving.abort('left');
    return Promise.reject(new TypeError('aborted'));
  });
  const { signal } = leaving;
  await expect(window.fetch(page, { method: 'POST', signal })).rejects.toBe('left');
  expect(connectionState().submission).toBeNull();
});

test('data of what is no page of the site’s is left for as the document that it stands for', () => {
  leaveFor.mockReturnValue(true);
  void window.fetch('/elsewhere/door.data?return=%2Fgallery&_routes=root');
  expect(leaveFor.mock.calls.map(([{ pathname, search }]) => pathname + search)).toEqual([
    '/elsewhere/door?return=%2Fgallery',
  ]);
  expect(sent).not.toHaveBeenCalled();
});

test('what the listener refuses for good is the error page of its status', async () => {
  const headers = { 'x-request-id': 'r1' };
  sent.mockResolvedValue(new Response('{}', { status: 400, headers }));
  await expect(window.fetch(page)).rejects.toMatchObject({ status: 400, internal: false });
});

test.each(['/api/user', '/gallery', 'https://elsewhere.test/gallery.data', new Request(page)])(
  'what is asked of %s is left as it is',
  async (address) => {
    sent.mockResolvedValue(new Response('', { status: 503 }));
    expect((await window.fetch(address)).status).toBe(503);
    expect(connectionState().loading).toBeNull();
  },
);
