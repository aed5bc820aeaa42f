// @vitest-environment happy-dom
import type { ActionFunction } from '@remix-run/node';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toast } from '~/ui/toast';
import { promptMaxLength } from '~/platform/generations/generations';
import {
  ada,
  bob,
  openPage,
  type PageOptions,
  signedIn,
  signedOut,
  unavailable,
} from '@gatehouse/platform/remix/testing';
import Studio from './routes/studio';
import { done, feedOf, nothing, running } from '~/testing/studio/studio-page';

beforeEach(() => {
  sessionStorage.clear();
  vi.spyOn(toast, 'success').mockReturnValue(1);
  // Pictures do not load here.
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(64);
});

const taken = { ok: true, count: 1, result: { initialValue: null } };

const openStudio = (options: PageOptions = {}) =>
  openPage(Studio, { at: '/studio', loaderData: feedOf([done]), ...options });

type Control = HTMLButtonElement | HTMLTextAreaElement;

/** Every enabled control of the page, by name, except sign-in. */
function usable(): string[] {
  const controls = document.querySelectorAll<Control>('button, textarea, input, select');
  return [...controls]
    .filter((control) => control.type !== 'hidden' && !control.matches(':disabled'))
    .filter((control) => !control.closest('fieldset:disabled, noscript'))
    .map((control) => control.getAttribute('aria-label') ?? (control.textContent || control.type))
    .filter((name) => name !== 'Sign in');
}

const words = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const generate = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Generate/ });
const becomesUsable = () =>
  waitFor(() => {
    expect(usable()).toEqual(
      expect.arrayContaining([
        'textarea',
        'radio',
        'Add references',
        'Generate',
        'Download',
        'Delete',
      ]),
    );
  });

test('no studio control is enabled before /api/user has responded [W16]', async () => {
  let respond: (profile: object) => void = () => undefined;
  openStudio({ user: new Promise<object>((resolve) => (respond = resolve)) });
  expect(usable()).toEqual([]);
  expect(screen.queryByText(/Credits/)).toBeNull();
  respond(ada);
  await becomesUsable();
});

test('signed out, the studio shows the panel, no feed, and no enabled control [W17] [W18]', async () => {
  openStudio({ loaded: signedOut, user: 401, loaderData: nothing });
  expect(screen.getByRole('region', { name: 'Signed out' })).toBeDefined();
  expect(screen.queryByText('Your pictures and clips')).toBeNull();
  expect(screen.queryByText(/Credits/)).toBeNull();
  await userEvent.type(words(), 'a fox');
  expect(words().value).toBe('');
  expect(usable()).toEqual([]);
});

test('when the session ends while the studio is open, its controls are disabled and its feed is removed [W18]', async () => {
  const page = openStudio();
  await becomesUsable();
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(usable()).toEqual([]);
  expect(screen.queryByText('a fox')).toBeNull();
});

test('after a change of account, the studio is disabled until its feed is the new account’s [W16] [W18]', async () => {
  const page = openStudio();
  await becomesUsable();
  page.user = bob;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(usable()).toEqual([]);
  });
  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  await becomesUsable();
});

test('with the platform unavailable, the studio says so, and no control is enabled [W18] [W33]', async () => {
  openStudio({ loaded: unavailable, user: 503, loaderData: nothing });
  const statuses = screen.getAllByRole('status').map(({ textContent }) => textContent);
  expect(statuses.join(' ')).toContain('The platform is not responding');
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
  expect(usable()).toEqual([]);
  await Promise.resolve();
});

test('an empty feed says so, a filtered one links to all, a long one has a next page, a failed one shows the site’s message [W33]', async () => {
  openStudio({ loaderData: feedOf([]) });
  expect(
    screen.getByText('Nothing here yet. Your pictures and clips will appear here.'),
  ).toBeDefined();
  cleanup();

  openStudio({ loaderData: { ...feedOf([]), view: { cursor: '', kind: 'clip' } } });
  expect(screen.getByRole('link', { name: 'Show everything' })).toBeDefined();
  cleanup();

  openStudio({
    loaderData: { ...feedOf([done], 'c&=2'), view: { cursor: '', status: 'failed' } },
  });
  expect(screen.getByRole('link', { name: 'Older' }).getAttribute('href')).toBe(
    '/studio?status=failed&cursor=c%26%3D2',
  );
  cleanup();

  openStudio({ loaderData: { ...nothing, error: 'rate_limited' } });
  expect(await screen.findByText(/Too many requests/)).toBeDefined();
});

test('a missing page of the feed links to the newest, and neither it nor a missing workspace is polled', async () => {
  const intervals = vi.spyOn(window, 'setInterval');
  const pauses = async (error: string) => {
    cleanup();
    intervals.mockClear();
    openStudio({ loaderData: { ...nothing, error, view: { cursor: 'zzz' } } });
    await waitFor(() => {
      expect(usable()).toContain('Generate');
    });
    return intervals.mock.calls.map(([, pause]) => pause);
  };
  expect(await pauses('rate_limited')).toContain(2_000);
  expect(usable()).toContain('Try again');

  expect(await pauses('invalid_cursor')).not.toContain(2_000);
  expect(usable()).not.toContain('Try again');
  expect(screen.getByRole('link', { name: 'Newest' }).getAttribute('href')).toBe('/studio');

  expect(await pauses('workspace_gone')).not.toContain(2_000);
  expect(usable()).not.toContain('Try again');
  expect(screen.getByText(/You no longer have access to this workspace/)).toBeDefined();
});

test('without events, pending generations are polled every second until they finish', async () => {
  const loader = vi.fn(() => Response.json(feedOf([done])));
  openStudio({ loaderData: feedOf([running]), loader });
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
  // No polling before the visitor is confirmed.
  expect(loader).not.toHaveBeenCalled();
  await waitFor(() => {
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
  expect(loader).toHaveBeenCalledTimes(1);
  expect(screen.getByText('All generations have finished.')).toBeDefined();
});

test('an order from an older page appears among the newest, costs what the button says, and empties the form', async () => {
  const sent: FormData[] = [];
  const action = vi.fn<ActionFunction>(async ({ request }) => {
    sent.push(await request.formData());
    return taken;
  });
  const page = openStudio({
    at: '/studio?cursor=2',
    loaderData: { ...feedOf([done]), view: { cursor: '2' } },
    loader: () => Response.json(feedOf([done])),
    action,
  });
  page.fetch.mockImplementation((address) => {
    const { searchParams } = new URL(address instanceof Request ? address.url : address);
    const total = Number(searchParams.get('count'));
    return Promise.resolve(Response.json({ total, each: 1, covered: total < 2, balance: 1 }));
  });
  await becomesUsable();
  await userEvent.click(generate());
  expect(screen.getByText('Describe what you want to see.')).toBeDefined();
  expect(action).not.toHaveBeenCalled();

  await userEvent.type(words(), 'a hen');
  await screen.findByRole('button', { name: 'Generate · 1 credit' });
  await userEvent.click(screen.getByRole('button', { name: 'Add a prompt' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Prompt 2' }), 'an owl');
  await screen.findByText('This costs 2 credits, and you have 1.');
  expect(generate().disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Remove prompt 2' }));
  await waitFor(() => {
    expect(generate().disabled).toBe(false);
  });
  await userEvent.click(generate());
  await waitFor(() => {
    expect(toast.success).toHaveBeenCalledWith('Submitted.');
  });
  expect(sent.map((form) => form.getAll('prompt'))).toEqual([['a hen']]);
  expect(sent[0]?.get('key')).toMatch(/^[\da-f-]{36}$/);
  expect(new URL(action.mock.calls[0]?.[0].request.url ?? '').search).toBe('');
  await waitFor(() => {
    expect(words().value).toBe('');
  });
  expect(screen.queryByRole('link', { name: 'Newest' })).toBeNull();
});

test('a resubmission keeps its key until it is accepted, and the next order gets a new one', async () => {
  const keys: unknown[] = [];
  const action = vi.fn<ActionFunction>(async ({ request }) => {
    keys.push((await request.formData()).get('key'));
    if (keys.length === 3) return taken;
    return {
      ok: false,
      code: 'upstream_unavailable',
      result: { status: 'error', error: { '': ['No.'] } },
    };
  });
  openStudio({ action });
  await becomesUsable();
  await userEvent.type(words(), 'a hen');
  const send = async (times: number) => {
    await userEvent.click(generate());
    await waitFor(() => {
      expect(keys).toHaveLength(times);
      expect(generate().textContent).toContain('Generate');
    });
  };
  await send(1);
  await send(2);
  await send(3);
  await waitFor(() => {
    expect(words().value).toBe('');
  });
  await userEvent.type(words(), 'an owl');
  await send(4);
  expect(keys.slice(1, 3)).toEqual([keys[0], keys[0]]);
  expect(keys[3]).not.toBe(keys[0]);
});

test('a submission after the session ended says so, keeps the prompt, and checks who is signed in [W11] [W18]', async () => {
  const action = vi.fn(() => ({
    ok: false as const,
    code: 'unauthorized',
    result: {
      status: 'error' as const,
      initialValue: { prompts: ['my dear words'] },
      error: { '': ['Your session has ended. Sign in again to continue.'] },
    },
  }));
  const page = openStudio({ action });
  await becomesUsable();
  await userEvent.type(words(), 'my dear words');
  page.user = 401;
  page.loaded = signedOut;
  await userEvent.click(generate());
  await screen.findByText(/Your session has ended/);
  await screen.findByRole('region', { name: 'Signed out' });
  expect(words().value).toBe('my dear words');
  expect(usable()).toEqual([]);
  expect(action).toHaveBeenCalledTimes(1);
});

test('a prompt’s error disappears as it is edited, and its length limit is announced', async () => {
  const action = () => ({
    ok: false as const,
    code: null,
    result: { status: 'error' as const, error: { 'prompts[0]': ['Remove the characters.'] } },
  });
  openStudio({ action });
  await becomesUsable();
  await userEvent.type(words(), 'a');
  await userEvent.click(generate());
  expect(await screen.findByText('Remove the characters.')).toBeDefined();
  expect(words().getAttribute('aria-invalid')).toBe('true');

  await userEvent.type(words(), 'b');
  expect(screen.queryByText('Remove the characters.')).toBeNull();
  expect(words().getAttribute('aria-invalid')).toBeNull();

  await userEvent.paste('x'.repeat(promptMaxLength));
  expect(words().value).toHaveLength(promptMaxLength);
  const hint = screen.getByText('Limit reached: 2000 characters.');
  expect(words().getAttribute('aria-describedby')).toContain(hint.id);
});

test('a prompt’s limit counts characters, and what does not fit is left out where it was pasted', async () => {
  openStudio();
  await becomesUsable();
  await userEvent.click(words());
  await userEvent.paste('😀'.repeat(promptMaxLength - 2));
  expect(words().value).toBe('😀'.repeat(promptMaxLength - 2));
  expect(screen.queryByText(/Limit reached/)).toBeNull();
  words().setSelectionRange(2, 2);
  await userEvent.paste('a fox');
  expect(words().value).toBe(`😀a ${'😀'.repeat(promptMaxLength - 3)}`);
  expect(words().selectionEnd).toBe(4);
  expect(screen.getByText(/Limit reached/)).toBeDefined();
});

test('a deletion is immediate, rolled back if refused, and can be undone', async () => {
  const shown = vi.spyOn(toast, 'error').mockReturnValue(1);
  const page = openStudio();
  await becomesUsable();
  const remove = () => userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  page.fetch.mockImplementation((_, init) =>
    Promise.resolve(
      init?.method === 'DELETE'
        ? Response.json({ error: 'forbidden' }, { status: 403 })
        : new Response(null, { status: 404 }),
    ),
  );
  await remove();
  await screen.findByRole('heading', { name: 'a fox' });
  expect(shown).toHaveBeenCalledTimes(1);

  page.fetch.mockImplementation((_, init) =>
    Promise.resolve(Response.json(init?.method === 'POST' ? done : null)),
  );
  await remove();
  await waitFor(() => {
    expect(screen.queryByRole('heading', { name: 'a fox' })).toBeNull();
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByRole('heading', { name: 'a fox' });
});

test('reuse fills the form with a generation’s order', async () => {
  openStudio({ loaderData: feedOf([{ ...done, aspectRatio: '9:16', references: ['m1'] }]) });
  await becomesUsable();
  await userEvent.click(screen.getByRole('button', { name: 'Reuse' }));
  await waitFor(() => {
    expect(words().value).toBe('a fox');
  });
  expect(document.activeElement).toBe(words());
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '9:16' }).checked).toBe(true);
  expect(screen.getByText('Reference 1')).toBeDefined();
});

test('a viewer of a workspace is told so, and can order nothing in it', async () => {
  const gallery = { id: 'w2', name: 'Gallery', role: 'viewer', canGenerate: false, credits: 0 };
  openStudio({
    loaderData: { ...feedOf([done]), workspaces: { items: [gallery], chosen: 'w2' } },
  });
  await screen.findByText('You can view Gallery, but not generate in it.');
  expect(generate().disabled).toBe(true);
});

test('while the workspaces cannot be loaded, the last known one stays, with the open picture and the order’s workspace', async () => {
  const own = { id: 'w1', name: 'Own', role: 'owner', canGenerate: true, credits: 5 };
  const pending = { ...running, id: 'g2', prompt: 'a hen' };
  const loader = vi.fn(() => Response.json(feedOf([done, { ...done, id: 'g2' }])));
  openStudio({
    loaderData: { ...feedOf([done, pending]), workspaces: { items: [own], chosen: 'w1' } },
    loader,
  });
  await becomesUsable();
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  await screen.findByRole('dialog', { name: 'a fox' });
  await waitFor(() => {
    expect(screen.queryByRole('progressbar', { hidden: true })).toBeNull();
  });
  expect(loader).toHaveBeenCalled();
  expect(screen.getByRole('dialog', { name: 'a fox' })).toBeDefined();
  expect(document.querySelector<HTMLInputElement>('#compose [name=workspace]')?.value).toBe('w1');
});

test('pictures open at full size, arrow keys navigate, and focus returns', async () => {
  openStudio({ loaderData: feedOf([done, { ...done, id: 'g2', prompt: 'a hen' }]) });
  await becomesUsable();
  const [first] = screen.getAllByRole('button', { name: 'View' });
  await userEvent.click(first as HTMLElement);
  await screen.findByRole('dialog', { name: 'a fox' });
  await userEvent.keyboard('{ArrowRight}');
  await screen.findByRole('dialog', { name: 'a hen' });
  expect(screen.getByText('2 of 2')).toBeDefined();
  await userEvent.keyboard('{ArrowRight}{Escape}');
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  expect(document.activeElement).toBe(first);
});
