// @vitest-environment happy-dom
/** What the shell shows in place of a page whose visitor is gone or changing. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  ada,
  bob,
  signedIn,
  signedOut,
  unavailable,
  type PageOptions,
} from '@gatehouse/platform/remix/testing';
import type { RouteHandle } from '~/route-handle';
import { Diary } from './diary';
import { openInShell } from '~/testing/platform/open-in-shell';

/** The page of Ada, in which something is typed. Its loader responds as the root's does. */
async function openDiary(handle?: RouteHandle, options: PageOptions = {}) {
  const page = openInShell(
    { default: Diary, ...(handle && { handle }) },
    {
      loaderData: { owner: 'Ada' },
      loader: () =>
        Response.json({
          owner: page.loaded.status === 'signed-in' ? page.loaded.profile.displayName : 'nobody',
        }),
      ...options,
    },
  );
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Ada’s words' } });
  await waitFor(() => {
    expect(page.requested.user).toBe(1);
  });
  return page;
}

const shown = () =>
  [document.body.textContent, screen.queryByRole<HTMLInputElement>('textbox')?.value].join(' ');
const panel = () => screen.findByRole('region', { name: 'Signed out' });
const ofAda = /Ada/;

test('the page is shown at first as the server rendered it, before /api/user has responded [W16]', () => {
  openInShell({ default: Diary }, { loaderData: { owner: 'Ada' }, user: new Promise(() => {}) });
  expect(screen.getByText('Diary of Ada')).toBeDefined();
});

test('a page that was rendered signed out shows the panel, and no data [W15]', () => {
  openInShell({ default: Diary }, { loaded: signedOut, user: 401, loaderData: { owner: 'Ada' } });
  expect(screen.getByRole('region', { name: 'Signed out' })).toBeDefined();
  expect(shown()).not.toMatch(ofAda);
});

test.each([
  ['without a handle', undefined, 'Sign in to continue'],
  ['for both kinds of account', { access: 'both' } as const, 'Sign in to continue'],
  ['with a title', { signedOut: { title: 'Sign in to write' } }, 'Sign in to write'],
])('a page %s shows the panel once its session ends [W15] [W18]', async (_, handle, title) => {
  const page = await openDiary(handle);
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  expect((await panel()).textContent).toContain(title);
  // In the page's place, it has the page's heading.
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
  expect(shown()).not.toMatch(ofAda);
});

test('what one person typed is gone when they sign in again [W18]', async () => {
  const page = await openDiary();
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  await panel();
  page.user = ada;
  page.loaded = signedIn();
  fireEvent.focus(window);
  expect(await screen.findByText('Diary of Ada')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
});

test('between two people, neither’s data is shown, however slow the loaders are [W16] [W18]', async () => {
  let release: (() => void) | undefined;
  const slow = new Promise<void>((resolve) => (release = resolve));
  const page = await openDiary(undefined, {
    loader: async () => {
      await slow;
      return Response.json({ owner: 'Bob' });
    },
  });
  page.user = bob;
  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  await waitFor(() => {
    expect(shown()).not.toMatch(ofAda);
  });
  expect(shown()).not.toMatch(/Bob|Signed out/);
  release?.();
  expect(await screen.findByText('Diary of Bob')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
});

test('the loaders that learn of the other person first show nothing either, until the browser knows [W16]', async () => {
  const page = await openDiary();
  page.loaded = signedIn(bob);
  let respond: ((profile: object) => void) | undefined;
  // An earlier check that has not responded yet, and a later one: the responses cross.
  page.user = new Promise<object>((resolve) => (respond = resolve));
  fireEvent.focus(window);
  page.user = 401;
  fireEvent.focus(window);
  await panel();
  respond?.(ada);
  expect(shown()).not.toMatch(ofAda);
  page.user = bob;
  fireEvent.focus(window);
  expect(await screen.findByText('Diary of Bob')).toBeDefined();
  expect(shown()).not.toMatch(ofAda);
});

test('during an outage the page and what was typed stay [W19]', async () => {
  const page = await openDiary();
  page.user = 503;
  page.loaded = unavailable;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.root).toBeGreaterThan(0);
  });
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Ada’s words');
  page.user = ada;
  page.loaded = signedIn();
  fireEvent.focus(window);
  expect(await screen.findByText('Diary of Ada')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Ada’s words');
});

test('another person who signs in during an outage sees nothing of the page [W16] [W18]', async () => {
  const page = await openDiary();
  page.user = bob;
  page.loaded = unavailable;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.root).toBeGreaterThan(0);
  });
  expect(shown()).not.toMatch(ofAda);
});

test('what one person typed is gone when the loaders know another one, and /api/user is down [W18]', async () => {
  const page = await openDiary();
  page.user = 503;
  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  expect(await screen.findByText('Diary of Bob')).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('');
});

test.each<[string, RouteHandle]>([
  ['useful to everybody', { signedOut: 'page' }],
  ['for everybody', { access: 'none' }],
  ['for site accounts', { access: 'account' }],
])('a page that is %s stays, and asks for itself', async (_, handle) => {
  const page = await openDiary(handle, { loader: () => Response.json({ owner: 'everybody' }) });
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  await waitFor(() => {
    expect(page.requested.root).toBeGreaterThan(0);
  });
  expect(screen.queryByRole('region', { name: 'Signed out' })).toBeNull();
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Ada’s words');
});
