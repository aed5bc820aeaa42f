// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { UserState } from '../profile.ts';
import { ada, bob, openPage, signedIn, signedOut, unavailable } from '../testing/page/remix.tsx';
import {
  connectionState,
  dismissSubmission,
  keepPageThroughOutages,
} from '@gatehouse/frame/browser';
import { remix } from '@gatehouse/frame/remix';
import { useUser, viewOf } from './user-state.tsx';

afterEach(() => {
  vi.useRealTimers();
});

/** Renders the view as text. */
function Probe() {
  const { view, refresh } = useUser();
  const name = view.status === 'signed-in' ? ` as ${view.profile.displayName}` : '';
  return (
    <button type="button" onClick={refresh}>
      {view.status + name}
    </button>
  );
}

const view = () => screen.getByRole('button').textContent;
const showsAtLast = (words: string) =>
  waitFor(() => {
    expect(view()).toBe(words);
  });

const a = signedIn(ada);
const unasked: UserState = { status: 'checking' };
const b = signedIn(bob);

test.each<[string, UserState, UserState | null, string]>([
  ['server: Ada, browser: not yet known', a, null, 'checking'],
  ['both: Ada', a, signedIn(ada), 'signed-in'],
  ['server: Ada, browser: another person', a, b, 'changing'],
  ['server: Ada, browser: signed out', a, signedOut, 'signed-out'],
  ['server: Ada, browser: unavailable', a, unavailable, 'unavailable'],
  ['server: signed out, browser: not yet known', signedOut, null, 'signed-out'],
  ['both: signed out', signedOut, signedOut, 'signed-out'],
  ['server: signed out, browser: Ada', signedOut, a, 'signed-out'],
  ['server: signed out, browser: unavailable', signedOut, unavailable, 'signed-out'],
  ['server: unavailable, browser: not yet known', unavailable, null, 'unavailable'],
  ['server: unavailable, browser: Ada', unavailable, a, 'unavailable'],
  ['server: unavailable, browser: signed out', unavailable, signedOut, 'signed-out'],
  ['both: unavailable', unavailable, unavailable, 'unavailable'],
  ['server: has not asked, browser: not yet known', unasked, null, 'checking'],
  ['server: has not asked, browser: Ada', unasked, a, 'signed-in'],
  ['server: has not asked, browser: signed out', unasked, signedOut, 'signed-out'],
  ['server: has not asked, browser: unavailable', unasked, unavailable, 'unavailable'],
])('%s [W16]', (_, loaded, confirmed, status) => {
  expect(viewOf(loaded, confirmed).status).toBe(status);
});

test('for the same person, the server’s newer profile is shown', () => {
  const view = viewOf(signedIn({ ...ada, credits: 3 }), signedIn({ ...ada, credits: 9 }));
  expect(view).toMatchObject({ status: 'signed-in', profile: { credits: 3 } });
});

test('the visitor is not signed in until /api/user has confirmed it [W16]', async () => {
  let respond: (profile: object) => void = () => undefined;
  const page = openPage(Probe, { user: new Promise<object>((resolve) => (respond = resolve)) });
  expect(view()).toBe('checking');
  expect(page.requested.user).toBe(1);
  act(() => {
    respond(ada);
  });
  await showsAtLast('signed-in as Ada');
  expect(page.requested).toEqual({ user: 1, root: 0 });
});

test('on a page for everybody the browser alone says who the visitor is, and loads nothing again [W16]', async () => {
  const page = openPage(Probe, { loaded: unasked });
  expect(view()).toBe('checking');
  await showsAtLast('signed-in as Ada');
  page.user = bob;
  fireEvent.focus(window);
  await showsAtLast('signed-in as Bob');
  page.user = 401;
  fireEvent.focus(window);
  await showsAtLast('signed-out');
  expect(page.requested.root).toBe(0);
});

test('a 401 means signed out immediately, and the loaders are revalidated [W14] [W18]', async () => {
  const page = openPage(Probe, { user: 401 });
  await showsAtLast('signed-out');
  await waitFor(() => {
    expect(page.requested.root).toBe(1);
  });
});

test.each([500, 502, 503, 504, 302])(
  '%i means unavailable, not signed out [W14]',
  async (status) => {
    openPage(Probe, { user: status });
    await showsAtLast('unavailable');
  },
);

test.each(['focus', 'online'])('the end of a session is noticed on %s', async (event) => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  page.user = 401;
  page.loaded = signedOut;
  fireEvent(window, new Event(event));
  await showsAtLast('signed-out');
});

test('the end of a session is noticed when the page is restored from the back/forward cache or becomes visible', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  page.user = 401;
  page.loaded = signedOut;
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
  expect(page.requested.user).toBe(1);
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  await showsAtLast('signed-out');

  page.user = ada;
  page.loaded = signedIn(ada);
  fireEvent(document, new Event('visibilitychange'));
  await showsAtLast('signed-in as Ada');
});

test('the end of a session is noticed within half a minute, and a hidden page does not poll', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');

  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void vi.advanceTimersByTime(300_000));
  expect(page.requested.user).toBe(1);
  hidden.mockReturnValue('visible');

  page.user = 401;
  page.loaded = signedOut;
  act(() => void vi.advanceTimersByTime(30_000));
  await showsAtLast('signed-out');
});

test('after a change of account, controls stay disabled until the loaders have caught up [W16] [W18]', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  page.user = bob;
  fireEvent.focus(window);
  await showsAtLast('changing');
  expect(page.requested.root).toBe(1);

  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  await showsAtLast('signed-in as Bob');
});

test('two responses that never agree do not cause a reload loop', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  let turn = 0;
  // Each response names a different person.
  Object.defineProperty(page, 'loaded', {
    get: () => signedIn({ ...ada, id: `loaded ${turn++}` }),
  });
  Object.defineProperty(page, 'user', { get: () => ({ ...ada, id: `asked ${turn++}` }) });
  const before = page.requested.user;
  fireEvent.focus(window);
  await showsAtLast('changing');
  await waitFor(() => {
    expect(page.requested.root).toBe(1);
  });
  // One check and one reload: a loop would have started the next check by now.
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  expect(page.requested).toEqual({ user: before + 1, root: 1 });
});

test('a sign-in elsewhere is shown once the loaders have seen it too [W16]', async () => {
  const page = openPage(Probe, { loaded: signedOut, user: 401 });
  await showsAtLast('signed-out');
  page.user = ada;
  page.loaded = signedIn(ada);
  fireEvent.focus(window);
  await showsAtLast('signed-in as Ada');
});

test('a page keeps checking while the platform is unavailable', async () => {
  // Twice, the browser reaches the platform before the loaders do.
  const page = openPage(Probe, { loaded: unavailable });
  await waitFor(() => {
    expect(page.requested.root).toBe(1);
  });
  expect(view()).toBe('unavailable');
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.root).toBe(2);
  });
  page.loaded = signedIn(ada);
  fireEvent.focus(window);
  await showsAtLast('signed-in as Ada');
});

const edgePage = (status: number) => new Response('<h1>Not now</h1>', { status });

test.each([
  ['an edge’s 502', () => edgePage(502)],
  ['an edge’s 503', () => edgePage(503)],
  ['an edge’s 504', () => edgePage(504)],
  ['an edge’s 429', () => edgePage(429)],
  ['an edge’s 403', () => edgePage(403)],
  ['a page in place of a profile', () => edgePage(200)],
  ['no response', () => Promise.reject<object>(new TypeError('Failed to fetch'))],
])(
  '%s keeps the last known state, and the page retries until the site is back [W14 W19]',
  async (_, lost) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const page = openPage(Probe);
    await showsAtLast('signed-in as Ada');
    const { root } = page.requested;
    const before = page.requested.user;
    page.user = lost();
    fireEvent.focus(window);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(page.requested.user).toBeGreaterThan(before + 4);
    expect(view()).toBe('signed-in as Ada');
    expect(page.requested.root).toBe(root);

    page.user = ada;
    fireEvent(window, new Event('online'));
    await waitFor(() => {
      // The loaders may have missed a change, too.
      expect(page.requested.root).toBe(root + 1);
    });
    expect(view()).toBe('signed-in as Ada');

    // The outage is over: the next check finds no change.
    const { user } = page.requested;
    fireEvent.focus(window);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(page.requested).toMatchObject({ user: user + 1, root: root + 1 });
  },
);

test('a submission without a response makes the page check who is signed in', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  page.fetch.mockResolvedValue(edgePage(502));
  const location = { pathname: '/page', search: '' };
  vi.stubGlobal('__remixRouter', { state: { navigation: {}, location } });
  keepPageThroughOutages({ framework: remix });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    dismissSubmission();
  });
  await act(() => window.fetch('/page.data', { method: 'POST' }));
  await waitFor(() => {
    expect(page.requested.user).toBe(2);
  });
});

test('a slow check is not aborted by the interval, so that it can complete', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let respond: (profile: object) => void = () => undefined;
  const page = openPage(Probe, { user: new Promise<object>((resolve) => (respond = resolve)) });
  act(() => void vi.advanceTimersByTime(120_000));
  expect(page.requested.user).toBe(1);
  respond(ada);
  await showsAtLast('signed-in as Ada');
});

test('on plain http, without Web Crypto, the error is reported and is not shown as an outage', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  vi.stubGlobal('crypto', {});
  openPage(Probe);
  await waitFor(() => {
    expect(reported).toHaveBeenCalledWith(expect.any(TypeError));
  });
  expect(connectionState().loading).toBeNull();
  expect(view()).toBe('checking');
});

test('a hidden page waits until it is visible before it retries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  page.user = edgePage(503);
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.user).toBe(2);
  });
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await act(() => vi.advanceTimersByTimeAsync(300_000));
  expect(page.requested.user).toBeLessThan(4);
  hidden.mockReturnValue('visible');
  page.user = 401;
  page.loaded = signedOut;
  fireEvent(document, new Event('visibilitychange'));
  await showsAtLast('signed-out');
});

test('a slow response does not overwrite a newer one', async () => {
  let late: (profile: object) => void = () => undefined;
  const page = openPage(Probe, { user: new Promise<object>((resolve) => (late = resolve)) });
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.click(screen.getByRole('button'));
  await showsAtLast('signed-out');
  await act(async () => {
    late(ada);
    await Promise.resolve();
  });
  expect(view()).toBe('signed-out');
});

test('a check aborted by unloading the page is not retried', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  let breakOff: (reason: Error) => void = () => undefined;
  page.user = new Promise<object>((_, reject) => (breakOff = reject));
  fireEvent.focus(window);
  fireEvent(window, new Event('pagehide'));
  await act(async () => {
    breakOff(new TypeError('Failed to fetch'));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(view()).toBe('signed-in as Ada');
  expect(page.requested).toEqual({ user: 2, root: 0 });

  // The browser may keep the page in its back/forward cache, and restore it.
  page.user = 401;
  page.loaded = signedOut;
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  await showsAtLast('signed-out');
});

test('an unmounted page removes all listeners', async () => {
  const page = openPage(Probe);
  await showsAtLast('signed-in as Ada');
  const { cleanup } = await import('@testing-library/react');
  cleanup();
  fireEvent.focus(window);
  fireEvent(window, new Event('online'));
  fireEvent(document, new Event('visibilitychange'));
  expect(page.requested.user).toBe(1);
});
