// @vitest-environment happy-dom
/** What the shell shows in place of a page for site accounts whose visitor is gone or changed. */
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { AccountState } from '@gatehouse/accounts';
import { ReloadProvider, useReload } from '@gatehouse/frame/react';
import { remix } from '@gatehouse/frame/remix';
import { renderPage } from '@gatehouse/frame/remix/testing';
import type { RouteHandle } from '~/route-handle';
import { FeaturesProvider, GuardedPage } from '~/shell/features';
import { Diary } from './diary';
import accounts from '~/accounts/feature';

afterEach(cleanup);

const ada = { status: 'signed-in', id: 'a1', name: 'Ada', email: 'ada@example.org' } as const;
const bob = { status: 'signed-in', id: 'a2', name: 'Bob', email: 'bob@example.org' } as const;

function Reload() {
  const reload = useReload();
  return <button onClick={reload}>Reload</button>;
}

function Root({ loaded, children }: { loaded: unknown; children: ReactNode }) {
  return (
    <ReloadProvider framework={remix}>
      <FeaturesProvider features={{ accounts }} loaded={{ accounts: loaded }}>
        <Reload />
        {children}
      </FeaturesProvider>
    </ReloadProvider>
  );
}

/** The page of Ada, in which something is typed. */
function openDiary(handle: RouteHandle, first: AccountState = ada) {
  const state = { account: first, loads: 0 };
  const InShell = () => (
    <GuardedPage>
      <Diary />
    </GuardedPage>
  );
  renderPage(
    {
      Root,
      Page: InShell,
      rootLoader: () => Response.json(state.account),
      loader: () => {
        state.loads++;
        return { owner: state.account.status === 'signed-in' ? state.account.name : 'nobody' };
      },
      action: () => null,
      handle,
    },
    '/diary?page=2',
    { root: first, page: { owner: 'Ada' } },
  );
  const field = screen.queryByRole('textbox');
  if (field) fireEvent.change(field, { target: { value: 'Ada’s words' } });
  return {
    become: async (account: AccountState) => {
      state.account = account;
      fireEvent.click(screen.getByText('Reload'));
      await waitFor(() => {
        expect(state.loads).toBe(1);
      });
    },
  };
}

const shown = () =>
  [document.body.textContent, screen.queryByRole<HTMLInputElement>('textbox')?.value].join(' ');

// Without the platform, it is the default.
test.each<[string, RouteHandle, string]>([
  ['by default', {}, 'Sign in to continue'],
  ['for both kinds of account', { access: 'both' }, 'Sign in to continue'],
  [
    'with a title',
    { access: 'account', signedOut: { title: 'Sign in to write' } },
    'Sign in to write',
  ],
])(
  'a page for site accounts shows, %s, the panel once its session ends',
  async (_, handle, title) => {
    const { become } = openDiary(handle);
    await become({ status: 'signed-out' });
    const panel = await screen.findByRole('region', { name: 'Signed out' });
    expect(panel.textContent).toContain(title);
    // In the page's place, it has the page's heading.
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
      '/sign-in?return=%2Fdiary%3Fpage%3D2',
    );
    expect(shown()).not.toContain('Ada');
  },
);

test('nothing of one person stays for the next one', async () => {
  const { become } = openDiary({ access: 'account' });
  await become(bob);
  expect(await screen.findByText('Diary of Bob')).toBeDefined();
  expect(shown()).not.toContain('Ada');
});

test('while the store is unavailable, the page stays as it was', async () => {
  const { become } = openDiary({ access: 'account' });
  await become({ status: 'unavailable' });
  expect(shown()).toContain('Ada’s words');
});

test.each<[string, RouteHandle]>([
  ['useful to everybody', { access: 'account', signedOut: 'page' }],
  ['for everybody', { access: 'none' }],
])('a page %s stays, and asks for itself', async (_, handle) => {
  const { become } = openDiary(handle);
  await become({ status: 'signed-out' });
  expect(await screen.findByText('Diary of nobody')).toBeDefined();
  expect(shown()).toContain('Ada’s words');
});

test('a page that was made for everybody asks its loaders once who is signed in', async () => {
  const { Menu } = accounts.identity;
  let loads = 0;
  renderPage(
    {
      Root: ({ loaded, children }) => (
        <ReloadProvider framework={remix}>
          <FeaturesProvider features={{ accounts }} loaded={{ accounts: loaded }}>
            <Menu loaded={loaded as AccountState} label={undefined} />
            {children}
          </FeaturesProvider>
        </ReloadProvider>
      ),
      Page: () => null,
      rootLoader: () => {
        loads++;
        return Response.json(ada);
      },
      loader: () => null,
      action: () => null,
    },
    '/listing',
    { root: { status: 'checking' }, page: null },
  );
  expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
  expect(await screen.findAllByText('Ada')).not.toHaveLength(0);
  expect(loads).toBe(1);
});
