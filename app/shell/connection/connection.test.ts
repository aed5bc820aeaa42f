// @vitest-environment happy-dom
/** What the browser tests cannot bring about: pauses that are asked for, and the wire of the installed decoder. */
import { decode } from 'turbo-stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionState, dismissSending, keepPageThroughOutages } from './connection';

const sent = vi.fn<typeof fetch>();
const page = new URL('/studio.data', window.location.href);
const routes = { 'x-remix-response': 'yes', 'x-request-id': 'r1' };

beforeEach(() => {
  vi.useFakeTimers();
  sent.mockReset();
  vi.stubGlobal('fetch', sent);
  vi.stubGlobal('__remixRouter', {
    state: { navigation: { state: 'idle' }, location: { pathname: '/studio' } },
  });
  keepPageThroughOutages();
});

afterEach(() => {
  dismissSending();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a submission without an answer settles as an action that says nothing, and is not sent again', async () => {
  sent.mockRejectedValue(new TypeError('Failed to fetch'));
  const answer = await window.fetch(page, { method: 'POST', body: 'prompt=a+fox' });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  if (!answer.body) throw new Error('There is no body.');
  expect((await decode(answer.body)).value).toEqual({ data: null });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveBeenCalledTimes(1);
  expect(connectionState().sending).toMatchObject({ status: 0 });
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
    expect(connectionState().asking).toMatchObject({ status: 429 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await asked).status).toBe(200);
    expect(connectionState().asking).toBeNull();
  },
);

test('an answer that breaks off in its first line is asked for again', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('[{"routes/studio":'));
      controller.error(new TypeError('network error'));
    },
  });
  sent.mockResolvedValueOnce(new Response(broken, { headers: routes }));
  sent.mockResolvedValueOnce(new Response('{}\n', { headers: routes }));
  const asked = window.fetch(page);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await (await asked).text()).toBe('{}\n');
});

test('a question that is given up ends, and takes its notice along', async () => {
  sent.mockResolvedValue(new Response('', { status: 502 }));
  const leaving = new AbortController();
  const asked = window.fetch(page, { signal: leaving.signal });
  const ended = expect(asked).rejects.toBe('left');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(connectionState().asking).toMatchObject({ status: 502 });
  leaving.abort('left');
  await ended;
  expect(connectionState().asking).toBeNull();
});

test('what the listener refuses for good is the error page of its status', async () => {
  const headers = { 'x-request-id': 'r1' };
  sent.mockResolvedValue(new Response('{}', { status: 400, headers }));
  await expect(window.fetch(page)).rejects.toMatchObject({ status: 400, internal: false });
});

test.each(['/api/user', '/studio', 'https://elsewhere.test/studio.data'])(
  'what is asked of %s is left as it is',
  async (address) => {
    sent.mockResolvedValue(new Response('', { status: 503 }));
    expect((await window.fetch(address)).status).toBe(503);
    expect(connectionState().asking).toBeNull();
  },
);
