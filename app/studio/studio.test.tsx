// @vitest-environment happy-dom
import type { ActionFunction } from '@remix-run/node';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toast } from '~/ui/toast';
import { promptMaxLength, type Generation } from '~/platform/sdk/sdk';
import {
  ada,
  bob,
  openPage,
  signedIn,
  signedOut,
  unavailable,
  type PageOptions,
} from '~/testing/page-double';
import Studio from './routes/studio';

beforeEach(() => {
  vi.spyOn(toast, 'success').mockReturnValue(1);
  // Nothing loads pictures here.
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(64);
});

const done: Generation = {
  id: 'g1',
  prompt: 'a fox',
  status: 'succeeded',
  progress: 1,
  createdAt: '2026-11-21T07:00:00Z',
  output: { url: '/api/generations/g1/output.png', filename: 'g1.png', width: 64, height: 64 },
};
const feedOf = (items: Generation[], nextCursor: string | null = null) => ({
  feed: { items, nextCursor },
  error: null,
});

const openStudio = (options: PageOptions = {}) =>
  openPage(Studio, { at: '/studio', loaderData: feedOf([done]), ...options });

type Control = HTMLButtonElement | HTMLTextAreaElement;

/** Every control of the page that could be used, by name. Sign-in is none of them. */
function usable(): string[] {
  const controls = document.querySelectorAll<Control>('button, textarea, input, select');
  return [...controls]
    .filter((control) => control.type !== 'hidden' && !control.matches(':disabled'))
    .filter((control) => !control.closest('fieldset:disabled, noscript'))
    .map((control) => control.textContent || control.name)
    .filter((name) => name !== 'Sign in');
}

const words = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const becomesUsable = () =>
  waitFor(() => {
    expect(usable()).toEqual(['prompt', 'Generate', 'Download', 'View']);
  });

test('nothing of the studio is usable before /api/user has answered [W16]', async () => {
  let answer: (profile: object) => void = () => undefined;
  openStudio({ user: new Promise<object>((resolve) => (answer = resolve)) });
  expect(usable()).toEqual([]);
  expect(screen.queryByText(/Credits/)).toBeNull();
  answer(ada);
  await becomesUsable();
  expect(screen.getByText('Credits left: 7')).toBeDefined();
});

test('signed out, the studio shows the panel, no feed, and nothing usable [W17] [W18]', async () => {
  openStudio({ loaded: signedOut, user: 401, loaderData: { feed: null, error: null } });
  expect(screen.getByRole('region', { name: 'Signed out' })).toBeDefined();
  expect(screen.queryByText('Your pictures')).toBeNull();
  expect(screen.queryByText(/Credits/)).toBeNull();
  await userEvent.type(words(), 'a fox');
  expect(words().value).toBe('');
  expect(usable()).toEqual([]);
});

test('when the session ends while the studio is open, its controls and its feed go [W18]', async () => {
  const world = openStudio();
  await becomesUsable();
  world.user = 401;
  world.loaded = signedOut;
  fireEvent.focus(window);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(usable()).toEqual([]);
  expect(screen.queryByText('a fox')).toBeNull();
});

test('another person’s studio is not usable until its feed is theirs [W16] [W18]', async () => {
  const world = openStudio();
  await becomesUsable();
  world.user = bob;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(usable()).toEqual([]);
  });
  world.loaded = signedIn(bob);
  fireEvent.focus(window);
  await becomesUsable();
});

test('with the platform lost, the studio says so, and nothing is usable [W18] [W33]', async () => {
  openStudio({ loaded: unavailable, user: 503, loaderData: { feed: null, error: null } });
  expect(screen.getByRole('status').textContent).toContain('The platform does not answer');
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
  expect(usable()).toEqual([]);
  await Promise.resolve();
});

test('an empty feed says so, a long one goes on, a failed one gives the reason in our words [W33]', async () => {
  openStudio({ loaderData: feedOf([]) });
  expect(screen.getByText('Nothing yet. Your first picture will be here.')).toBeDefined();

  openStudio({ loaderData: feedOf([done], 'c&=2') });
  expect(screen.getByRole('link', { name: 'Older pictures' }).getAttribute('href')).toBe(
    '/studio?cursor=c%26%3D2',
  );

  openStudio({ loaderData: { feed: null, error: 'rate_limited' } });
  expect(await screen.findByText(/That was a lot at once/)).toBeDefined();
});

test('a page of the feed that is not there leads to the newest, and is not asked for again', async () => {
  const asked = vi.spyOn(window, 'setInterval');
  const pauses = async (error: string) => {
    cleanup();
    asked.mockClear();
    openStudio({ loaderData: { feed: null, error, person: 'u1', cursor: 'zzz' } });
    await waitFor(() => {
      expect(usable()).toContain('Generate');
    });
    return asked.mock.calls.map(([, pause]) => pause);
  };
  expect(await pauses('rate_limited')).toContain(5_000);
  expect(usable()).toContain('Try again');

  expect(await pauses('invalid_cursor')).not.toContain(5_000);
  expect(usable()).not.toContain('Try again');
  const newest = screen.getByRole('link', { name: 'Newest pictures' });
  expect(newest.getAttribute('href')).toBe('/studio');
});

test('a page of older pictures leads to the newest, and so does a picture made there', async () => {
  openStudio();
  expect(screen.queryByRole('link', { name: 'Newest pictures' })).toBeNull();
  cleanup();

  const action = vi.fn<ActionFunction>(() => ({ ok: true, result: { initialValue: null } }));
  openStudio({
    at: '/studio?cursor=2',
    loaderData: { ...feedOf([done]), person: 'u1', cursor: '2' },
    loader: ({ request }) => {
      const cursor = new URL(request.url).searchParams.get('cursor') ?? '';
      return Response.json({ ...feedOf([done]), person: 'u1', cursor });
    },
    action,
  });
  const newest = screen.getByRole('link', { name: 'Newest pictures' });
  expect(newest.getAttribute('href')).toBe('/studio');
  await becomesUsable();
  await userEvent.type(words(), 'a hen');
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
  await waitFor(() => {
    expect(screen.queryByRole('link', { name: 'Newest pictures' })).toBeNull();
  });
  expect(new URL(action.mock.calls[0]?.[0].request.url ?? '').search).toBe('');
});

test('a picture on its way is looked after each second, until it is there', async () => {
  const running: Generation = { ...done, status: 'running', progress: 0.5, output: null };
  const loader = vi.fn(() => Response.json(feedOf([done])));
  openStudio({ loaderData: feedOf([running]), loader });
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  // Nobody asks before it is known whose picture it is.
  expect(loader).not.toHaveBeenCalled();
  await waitFor(
    () => {
      expect(screen.queryByRole('progressbar')).toBeNull();
    },
    { timeout: 4_000 },
  );
  expect(loader).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('status').textContent).toBe('All pictures are finished.');
});

test('a session that ended at the click says so, keeps the words, and looks who it is [W11] [W18]', async () => {
  const action = vi.fn(() => ({
    ok: false as const,
    code: 'unauthorized',
    result: {
      status: 'error' as const,
      initialValue: { prompt: 'my dear words' },
      error: { '': ['Your session has ended. Sign in again to go on.'] },
    },
  }));
  const world = openStudio({ action });
  await becomesUsable();
  await userEvent.type(words(), 'my dear words');
  world.user = 401;
  world.loaded = signedOut;
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
  await screen.findByText(/Your session has ended/);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(words().value).toBe('my dear words');
  expect(usable()).toEqual([]);
  expect(action).toHaveBeenCalledTimes(1);
});

test('what was wrong with the words goes as they are mended, and what does not fit is told', async () => {
  const action = () => ({
    ok: false as const,
    code: null,
    result: { status: 'error' as const, error: { prompt: ['Write what you want to see.'] } },
  });
  openStudio({ action });
  await becomesUsable();
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
  expect(await screen.findByText('Write what you want to see.')).toBeDefined();
  expect(words().getAttribute('aria-invalid')).toBe('true');

  await userEvent.type(words(), 'a');
  expect(screen.queryByText('Write what you want to see.')).toBeNull();
  expect(words().getAttribute('aria-invalid')).toBeNull();
  expect(screen.queryByText(/all that fits/)).toBeNull();

  await userEvent.paste('x'.repeat(promptMaxLength));
  expect(words().value).toHaveLength(promptMaxLength);
  const hint = screen.getByText('That is all that fits: 2000 characters.');
  expect(words().getAttribute('aria-describedby')).toContain(hint.id);
});

test('a picture asked for is on its way, and the form is empty for the next', async () => {
  openStudio({ action: () => ({ ok: true, result: { initialValue: null } }) });
  await becomesUsable();
  await userEvent.type(words(), 'a fox');
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
  await waitFor(() => {
    expect(toast.success).toHaveBeenCalledWith('Your picture is on its way.');
  });
  await waitFor(() => {
    expect(words().value).toBe('');
  });
});

test('what does not fit is told no longer once it was sent, nor when the picture is looked after', async () => {
  const running: Generation = { ...done, status: 'running', progress: 0.5, output: null };
  const loader = vi
    .fn(() => Response.json(feedOf([done])))
    .mockImplementationOnce(() => Response.json(feedOf([running])));
  openStudio({ loader, action: () => ({ ok: true, result: { initialValue: null } }) });
  await becomesUsable();
  await userEvent.click(words());
  await userEvent.paste('x'.repeat(promptMaxLength + 1));
  expect(screen.getByText(/all that fits/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
  await screen.findByRole('progressbar');
  expect(words().value).toBe('');
  expect(screen.queryByText(/all that fits/)).toBeNull();
  // The loaders run again, and Remix drops the action's answer as they do.
  await waitFor(
    () => {
      expect(screen.queryByRole('progressbar')).toBeNull();
    },
    { timeout: 4_000 },
  );
  expect(loader).toHaveBeenCalledTimes(2);
  expect(screen.queryByText(/all that fits/)).toBeNull();
});
