// @vitest-environment happy-dom
/** Studio drafts, kept through a sign-in that leaves the page. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ActionFunction } from '@remix-run/node';
import { beforeEach, expect, test, vi } from 'vitest';
import type { UserState } from '@gatehouse/platform';
import { tellSigningOut } from '@gatehouse/frame/browser';
import { promptMaxLength } from '~/platform/generations/generations';
import { ada, bob, openPage, signedIn, signedOut } from '@gatehouse/platform/remix/testing';
import Studio from './routes/studio';

beforeEach(() => {
  sessionStorage.clear();
});

const words = () => {
  const [first] = screen.getAllByRole<HTMLTextAreaElement>('textbox');
  if (!first) throw new Error('There is no prompt.');
  return first;
};

const storageIsEmpty = () =>
  waitFor(() => {
    expect(sessionStorage).toHaveLength(0);
  });

/** The studio as the server renders it, once the browser has confirmed the account. */
async function arrive(person: typeof ada | null, action?: ActionFunction) {
  const page = open(person, person ?? 401, action);
  await waitFor(() => {
    expect(words().closest('fieldset:disabled') !== null).toBe(person === null);
  });
  return page;
}

/** @param user what `/api/user` answers */
function open(
  person: typeof ada | null,
  user: object | number | Promise<object>,
  action?: ActionFunction,
) {
  cleanup();
  const loaderData = {
    feed: null,
    error: null,
    workspaces: null,
    estimate: null,
    person: person ? keyOf(signedIn(person)) : '',
    orderKey: '',
    view: { cursor: '' },
  };
  const loaded = person ? signedIn(person) : signedOut;
  const page = openPage(Studio, {
    at: '/studio',
    loaderData,
    loaded,
    user,
    ...(action && { action }),
    loader: () => Response.json({ ...loaderData, person: keyOf(page.loaded) }),
  });
  return page;
}

const keyOf = (state: UserState) => (state.status === 'signed-in' ? state.profile.key : '');

/**
 * Types, loses the session, and leaves for sign-in.
 *
 * @param hasKept resolves when the page has tried to store the draft.
 */
async function leave(typed: string, hasKept = () => sessionStorage.length === 1) {
  const page = await arrive(ada);
  await userEvent.click(words());
  await userEvent.paste(typed);
  page.user = 401;
  page.loaded = signedOut;
  window.dispatchEvent(new Event('focus'));
  await screen.findByRole('region', { name: 'Signed out' });
  expect(words().value).toBe(typed);
  // React runs effects some time after rendering: only then does the page listen.
  await waitFor(() => {
    window.dispatchEvent(new Event('pagehide'));
    expect(hasKept()).toBe(true);
  });
}

test('a draft is restored for the account that typed it', async () => {
  await leave('a fox\nin the snow');
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toBe('a fox\nin the snow');
});

test('a draft survives an abandoned sign-in', async () => {
  await leave('a fox');
  await arrive(null);
  expect(words().value).toBe('');
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toBe('a fox');
});

test('a draft is deleted and never shown to another account', async () => {
  await leave('a fox');
  await arrive(bob);
  await storageIsEmpty();
  expect(words().value).toBe('');
  await arrive(ada);
  expect(words().value).toBe('');
});

test('the form is cleared when another account signs in while the page is open', async () => {
  const page = await arrive(ada);
  await userEvent.click(words());
  await userEvent.paste('x'.repeat(promptMaxLength));
  expect(screen.getByText(/Limit reached/)).toBeDefined();
  page.user = bob;
  page.loaded = signedIn(bob);
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => {
    expect(words().value).toBe('');
  });
  await waitFor(() => {
    expect(screen.queryByText(/Limit reached/)).toBeNull();
  });
  await waitFor(() => {
    expect(words().closest('fieldset:disabled')).toBeNull();
  });
  await userEvent.type(words(), 'a hen');
  window.dispatchEvent(new Event('focus'));
  expect(words().value).toBe('a hen');
});

test('a reload restores kind, format and every prompt', async () => {
  await arrive(ada);
  await userEvent.type(words(), 'a fox');
  await userEvent.click(screen.getByRole('button', { name: 'Add a prompt' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Prompt 2' }), 'a hen');
  await userEvent.click(screen.getByRole('radio', { name: 'Clip' }));
  await userEvent.click(screen.getByRole('radio', { name: '16:9' }));
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada);
  await waitFor(() => {
    const kept = screen.getAllByRole<HTMLTextAreaElement>('textbox').map(({ value }) => value);
    expect(kept).toEqual(['a fox', 'a hen']);
    for (const name of ['Clip', '16:9'])
      expect(screen.getByRole<HTMLInputElement>('radio', { name }).checked).toBe(true);
  });
});

test('an order sent again after a reload has the same key, so that it costs once', async () => {
  const keys: unknown[] = [];
  // The answer is lost.
  const action: ActionFunction = async ({ request }) => {
    keys.push((await request.formData()).get('key'));
    return null;
  };
  const send = async () => {
    const before = keys.length;
    await userEvent.click(screen.getByRole('button', { name: 'Generate' }));
    await waitFor(() => {
      expect(keys).toHaveLength(before + 1);
    });
    await screen.findByRole('button', { name: 'Generate' });
  };
  await arrive(ada, action);
  await userEvent.type(words(), 'a fox');
  await send();
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada, action);
  await storageIsEmpty();
  await send();
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a page that comes back from the back/forward cache and is emptied leaves no old draft', async () => {
  await arrive(ada);
  await userEvent.type(words(), 'a fox');
  window.dispatchEvent(new Event('pagehide'));
  expect(sessionStorage).toHaveLength(1);
  // The same page, shown again: nothing is mounted anew.
  await userEvent.clear(words());
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada);
  expect(words().value).toBe('');
});

test('a page that is left before it knows its visitor keeps the draft', async () => {
  await leave('a fox');
  open(ada, new Promise(() => undefined));
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  expect(sessionStorage).toHaveLength(1);
});

test.each([
  ['platform', 0],
  ['site', 1],
] as const)(
  'signing out of a %s account leaves %i drafts of the studio [W29]',
  async (kind, left) => {
    await arrive(ada);
    await userEvent.type(words(), 'a fox');
    tellSigningOut(kind);
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    expect(sessionStorage).toHaveLength(left);
  },
);

test.each(['x', '😀'])('a draft is truncated to the limits of an order: %s', async (character) => {
  const order = { prompts: [character.repeat(promptMaxLength + 100)] };
  const draft = { account: keyOf(signedIn(ada)), words: JSON.stringify(order) };
  sessionStorage.setItem('draft:studio', JSON.stringify(draft));
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toBe(character.repeat(promptMaxLength));
});

test.each(['[]', 'null', '{', '{"account":"u1"}', '{"account":"u1","words":7}'])(
  'an invalid draft in storage is discarded: %s',
  async (kept) => {
    sessionStorage.setItem('draft:studio', kept);
    await arrive(ada);
    await storageIsEmpty();
    expect(words().value).toBe('');
  },
);

test('with storage denied the draft is lost, and nothing breaks', async () => {
  const requested: string[] = [];
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    requested.push(screen.queryByRole<HTMLTextAreaElement>('textbox')?.value ?? '');
    throw new DOMException('denied', 'SecurityError');
  });
  await leave('a fox', () => requested.includes('a fox'));
  await arrive(ada);
  expect(words().value).toBe('');
});
