// auth: platform
// @vitest-environment happy-dom
/** Whatever asks the loaders again by itself: none of it may abort what another has begun. */
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, signedOut } from '~/testing/page-double';
import { usePolling } from './use-polling';
import { useUser } from './platform/user-state';

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

/** A page whose session has just ended, and whose loaders take their time. */
async function openSlowPage() {
  const loads: AbortSignal[] = [];
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const world = openPage(Page, {
    loader: async ({ request }) => {
      loads.push(request.signal);
      await held;
      return null;
    },
  });
  await screen.findByText('signed-in');
  world.user = 401;
  world.loaded = signedOut;
  return { loads, answer };
}

/** The page asks who the visitor is, and hears it. Within one `act` nothing is rendered meanwhile. */
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
  'of a look at the %s and one at the %s, the second does not abort the reload of the first',
  async (first, second) => {
    const { loads, answer } = await openSlowPage();
    await act(async () => {
      await looks[first]();
      expect(loads).toHaveLength(1);
      await looks[second]();
    });
    expect(loads.map(({ aborted }) => aborted)).toEqual([false]);
    vi.useRealTimers();

    // Nor is the second lost: the first may have come too early for what it was told.
    answer();
    await waitFor(() => {
      expect(loads.map(({ aborted }) => aborted)).toEqual([false, false]);
    });
  },
);
