// @vitest-environment happy-dom
/** Everything that revalidates automatically: none of it may abort a load in progress. */
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, signedOut } from '../testing/page/remix.tsx';
import { usePolling } from '@gatehouse/frame/react';
import { useUser } from './user-state.tsx';

function Page() {
  const { view } = useUser();
  usePolling(view.status === 'signed-in' ? 1_000 : null);
  return <p>{view.status}</p>;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A page whose session has just ended, with slow loaders. */
async function openSlowPage() {
  const loads: AbortSignal[] = [];
  let respond: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (respond = resolve));
  const page = openPage(Page, {
    loader: async ({ request }) => {
      loads.push(request.signal);
      await held;
      return null;
    },
  });
  await screen.findByText('signed-in');
  page.user = 401;
  page.loaded = signedOut;
  return { loads, respond };
}

/**
 * The page checks who the visitor is, and gets the response. Nothing renders in between within one
 * `act`.
 */
async function lookAtUser() {
  window.dispatchEvent(new Event('focus'));
  await new Promise((resolve) => setTimeout(resolve, 0));
}

const lookAtData = () => void vi.advanceTimersByTime(1_000);

const looks = { user: lookAtUser, data: lookAtData };

test.each([
  ['user', 'user'],
  ['user', 'data'],
  ['data', 'user'],
] as const)(
  'a reload caused by the %s is not aborted by one caused by the %s',
  async (first, second) => {
    const { loads, respond } = await openSlowPage();
    await act(async () => {
      await looks[first]();
      expect(loads).toHaveLength(1);
      await looks[second]();
    });
    expect(loads.map(({ aborted }) => aborted)).toEqual([false]);
    vi.useRealTimers();

    // The second is not lost either: the first may have run before its cause.
    respond();
    await waitFor(() => {
      expect(loads.map(({ aborted }) => aborted)).toEqual([false, false]);
    });
  },
);
