// @vitest-environment happy-dom
/** Words typed in the studio, over a sign-in that leaves the page. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { UserState } from '~/platform/profile';
import { tellSigningOut } from '~/frame/signing-out';
import { promptMaxLength } from '~/platform/sdk/generations/generations';
import { ada, bob, openPage, signedIn, signedOut } from '~/testing/page-double';
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

/** The studio as the server gives it to somebody, once the browser knows whose it is. */
async function arrive(person: typeof ada | null) {
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
  const world = openPage(Studio, {
    at: '/studio',
    loaderData,
    loaded,
    user: person ?? 401,
    loader: () => Response.json({ ...loaderData, person: keyOf(world.loaded) }),
  });
  await waitFor(() => {
    expect(words().closest('fieldset:disabled') !== null).toBe(person === null);
  });
  return world;
}

const keyOf = (state: UserState) => (state.status === 'signed-in' ? state.profile.key : '');

/**
 * Types, loses the session, and goes to sign in.
 *
 * @param hasKept tells that the page has tried to keep the words.
 */
async function leave(typed: string, hasKept = () => sessionStorage.length === 1) {
  const world = await arrive(ada);
  await userEvent.click(words());
  await userEvent.paste(typed);
  world.user = 401;
  world.loaded = signedOut;
  window.dispatchEvent(new Event('focus'));
  await screen.findByRole('region', { name: 'Signed out' });
  expect(words().value).toBe(typed);
  // React runs effects some time after it has rendered: only then does the page listen.
  await waitFor(() => {
    window.dispatchEvent(new Event('pagehide'));
    expect(hasKept()).toBe(true);
  });
}

test('words come back to who typed them', async () => {
  await leave('a fox\nin the snow');
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toBe('a fox\nin the snow');
});

test('words wait for a sign-in that was given up', async () => {
  await leave('a fox');
  await arrive(null);
  expect(words().value).toBe('');
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toBe('a fox');
});

test('words are never another person’s: they are gone, and not shown', async () => {
  await leave('a fox');
  await arrive(bob);
  await storageIsEmpty();
  expect(words().value).toBe('');
  await arrive(ada);
  expect(words().value).toBe('');
});

test('words are cleared when another person signs in while the page is open', async () => {
  const world = await arrive(ada);
  await userEvent.click(words());
  await userEvent.paste('x'.repeat(promptMaxLength));
  expect(screen.getByText(/all that fits/)).toBeDefined();
  world.user = bob;
  world.loaded = signedIn(bob);
  window.dispatchEvent(new Event('focus'));
  await waitFor(() => {
    expect(words().value).toBe('');
  });
  await waitFor(() => {
    expect(screen.queryByText(/all that fits/)).toBeNull();
  });
  await waitFor(() => {
    expect(words().closest('fieldset:disabled')).toBeNull();
  });
  await userEvent.type(words(), 'a hen');
  window.dispatchEvent(new Event('focus'));
  expect(words().value).toBe('a hen');
});

test('a reload loses nothing: kind, format and every prompt come back', async () => {
  await arrive(ada);
  await userEvent.type(words(), 'a fox');
  await userEvent.click(screen.getByRole('button', { name: 'Add a prompt' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Prompt 2' }), 'a hen');
  await userEvent.click(screen.getByRole('radio', { name: 'Clip' }));
  await userEvent.click(screen.getByRole('radio', { name: '16:9' }));
  window.dispatchEvent(new Event('pagehide'));
  await arrive(ada);
  const kept = screen.getAllByRole<HTMLTextAreaElement>('textbox').map(({ value }) => value);
  expect(kept).toEqual(['a fox', 'a hen']);
  for (const name of ['Clip', '16:9'])
    expect(screen.getByRole<HTMLInputElement>('radio', { name }).checked).toBe(true);
});

test('whoever signs out leaves nothing behind', async () => {
  await arrive(ada);
  await userEvent.type(words(), 'a fox');
  tellSigningOut();
  window.dispatchEvent(new Event('pagehide'));
  cleanup();
  expect(sessionStorage).toHaveLength(0);
});

test('no more comes back than can be sent', async () => {
  const order = { prompts: ['x'.repeat(promptMaxLength + 100)] };
  const draft = { account: keyOf(signedIn(ada)), words: JSON.stringify(order) };
  sessionStorage.setItem('draft:studio', JSON.stringify(draft));
  await arrive(ada);
  await storageIsEmpty();
  expect(words().value).toHaveLength(promptMaxLength);
});

test.each(['[]', 'null', '{', '{"account":"u1"}', '{"account":"u1","words":7}'])(
  'what else is found in storage is thrown away: %s',
  async (kept) => {
    sessionStorage.setItem('draft:studio', kept);
    await arrive(ada);
    await storageIsEmpty();
    expect(words().value).toBe('');
  },
);

test('where storage is denied the words are lost, and nothing breaks', async () => {
  const asked: string[] = [];
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    asked.push(screen.queryByRole<HTMLTextAreaElement>('textbox')?.value ?? '');
    throw new DOMException('denied', 'SecurityError');
  });
  await leave('a fox', () => asked.includes('a fox'));
  await arrive(ada);
  expect(words().value).toBe('');
});
