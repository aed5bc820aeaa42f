// @vitest-environment happy-dom
/** The studio while `/api/user` and the loaders fail: what was shown stays, and nothing is operable. */
import type { ActionFunction } from '@remix-run/node';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Generation } from '~/platform/generations/generations';
import {
  ada,
  bob,
  openPage,
  signedIn,
  signedOut,
  unavailable,
} from '@gatehouse/platform/remix/testing';
import { toast } from '~/ui/toast';
import Studio from './routes/studio';
import { done, feedOf, nothing } from '~/testing/studio/studio-page';

const failed: Generation = { ...done, status: 'failed', failure: 'timed_out', output: null };

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(toast, 'error').mockReturnValue(1);
  vi.spyOn(toast, 'success').mockReturnValue(1);
});

/** The studio of Ada, with a failed generation. The outage begins and ends as the test says. */
async function openStudio(action: ActionFunction = () => null) {
  const page = openPage(Studio, {
    at: '/studio',
    loaderData: feedOf([failed]),
    loader: () =>
      Response.json(
        page.loaded.status === 'signed-in'
          ? { ...feedOf([failed]), person: page.loaded.profile.key }
          : { ...nothing, person: '' },
      ),
    action,
  });
  await waitFor(() => {
    expect(retry().disabled).toBe(false);
  });
  return {
    page,
    /** Until the page shows it. */
    begin: async () => {
      page.user = 503;
      page.loaded = unavailable;
      fireEvent.focus(window);
      await screen.findByText(/The platform is not responding/);
      await waitFor(() => {
        expect(page.requested.root).toBeGreaterThan(0);
      });
    },
    end: async () => {
      page.user = ada;
      page.loaded = signedIn();
      fireEvent.focus(window);
      await waitFor(() => {
        expect(retry().disabled).toBe(false);
      });
    },
  };
}

const card = () => screen.queryByRole('heading', { name: 'a fox' });
const retry = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Try again' });
const words = () => screen.getByRole<HTMLTextAreaElement>('textbox');

test('an outage keeps the feed and the typed words, and disables every control of the feed [W16] [W18]', async () => {
  const { begin, end } = await openStudio();
  await userEvent.type(words(), 'a hen');
  const before = card();
  await begin();
  expect(card()).toBe(before);
  expect(words().value).toBe('a hen');
  const controls = before?.closest('li')?.querySelectorAll<HTMLButtonElement>('button, input');
  expect(controls?.length).toBeGreaterThan(2);
  for (const control of controls ?? []) expect(control.disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Generate' }).disabled).toBe(true);

  await end();
  expect(card()).toBe(before);
  expect(words().value).toBe('a hen');
});

test('a retry whose answer was lost in an outage has the same key after it, so that it costs once', async () => {
  const keys: unknown[] = [];
  const { begin, end } = await openStudio(async ({ request }) => {
    keys.push((await request.formData()).get('key'));
    return null;
  });
  await userEvent.click(retry());
  await waitFor(() => {
    expect(keys).toHaveLength(1);
  });
  await begin();
  await end();
  await userEvent.click(retry());
  await waitFor(() => {
    expect(keys).toHaveLength(2);
  });
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('the feed is hidden as soon as the browser learns of another account, even if the loaders still fail [W13] [W18]', async () => {
  const { page, begin } = await openStudio();
  await begin();
  expect(card()).not.toBeNull();
  page.user = bob;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(card()).toBeNull();
  });
  // Nor does it return with another failed check.
  page.user = 503;
  const { user } = page.requested;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.user).toBeGreaterThan(user);
  });
  expect(card()).toBeNull();
  expect(page.loaded).toBe(unavailable);
});

test('the feed is hidden when the session turns out to have ended in the outage [W17] [W18]', async () => {
  const { page, begin } = await openStudio();
  await begin();
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(card()).toBeNull();
});
