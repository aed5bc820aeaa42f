// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { site } from '~/site.config';
import { ada, openPage, signedIn, signedOut, unavailable } from '@gatehouse/platform/remix/testing';
import { SignInButton, SignOutButton } from '~/shell/platform/auth-buttons';
import { ErrorPage } from '~/shell/errors/error-page';
import { PageShell } from '~/shell/page-shell';
import { FeaturesProvider } from '~/shell/features';
import platform from '~/shell/platform/feature';
import { SignedOutPanel } from '~/shell/platform/signed-out-panel';

const Nothing = () => null;

const login = '/__auth/login?return=%2Fgallery%3Fcursor%3D2%26x%3Da%2520b';

test('the sign-in button assigns the login route with the current path and query [W05]', async () => {
  const page = openPage(() => <SignInButton />, {
    at: '/gallery?cursor=2&x=a%20b',
    loaded: signedOut,
    user: 401,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(page.assigned).toEqual([login]);
  expect(page.fetch).not.toHaveBeenCalled();
});

test('the sign-out button assigns the logout route, returning to / [W06]', async () => {
  const page = openPage(() => <SignOutButton />, { at: '/gallery?cursor=2' });
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(page.assigned).toEqual(['/__auth/logout?return=%2F']);
  expect(page.fetch).not.toHaveBeenCalled();
});

test('both buttons are forms that work the same without JavaScript [W05] [W06]', () => {
  openPage(
    () => (
      <>
        <SignInButton />
        <SignOutButton />
      </>
    ),
    { at: '/gallery?cursor=2&x=a%20b' },
  );
  const forms = screen.getAllByRole('button').map((button) => {
    const form = button.closest('form');
    const returned = new FormData(form ?? undefined).get('return');
    return [button.getAttribute('type'), form?.method, form?.getAttribute('action'), returned];
  });
  expect(forms).toEqual([
    ['submit', 'get', '/__auth/login', '/gallery?cursor=2&x=a%20b'],
    ['submit', 'get', '/__auth/logout', '/'],
  ]);
});

test('the signed-out panel explains what belongs to the account, and leads to sign-in and back [W17]', async () => {
  const page = openPage(() => <SignedOutPanel />, {
    at: '/gallery?cursor=2&x=a%20b',
    loaded: signedOut,
    user: 401,
  });
  const panel = within(screen.getByRole('region', { name: 'Signed out' }));
  expect(panel.getByRole('heading').textContent).toBe('Sign in to continue');
  for (const word of ['Generation', 'uploads', 'credits', 'history']) {
    expect(panel.getByText(new RegExp(word))).toBeDefined();
  }
  await userEvent.click(panel.getByRole('button', { name: 'Sign in' }));
  expect(page.assigned).toEqual([login]);
});

/** As the root wraps each page: `openPage` has the provider already. */
const inSite = (page: ReactNode) => (
  <FeaturesProvider
    features={{ platform: { ...platform, Provider: ({ children }) => <>{children}</> } }}
    loaded={undefined}
  >
    {page}
  </FeaturesProvider>
);

const shell = () =>
  inSite(
    <PageShell>
      <Nothing />
    </PageShell>,
  );

test('the header shows the visitor’s name and sign-out only once confirmed [W16]', async () => {
  openPage(shell);
  expect(screen.queryByText('Ada')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  // On the menu's button, and in the menu.
  expect(await screen.findAllByText('Ada')).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Account details' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull();
});

test('the header of a signed-out page offers sign-in and nothing else [W15] [W18]', () => {
  openPage(shell, { loaded: signedOut, user: 401 });
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Sign in']);
});

test('the menu marks only the current page', () => {
  const path: string = '/';
  openPage(shell, { at: `${path}?cursor=2` });
  const home = site.menu.find(({ to }) => to === path);
  // One for wide screens, one for phones.
  for (const menu of screen.getAllByRole('navigation', { name: 'Pages' })) {
    const current = within(menu)
      .getAllByRole('link')
      .filter((link) => link.hasAttribute('aria-current'))
      .map((link) => [link.textContent, link.getAttribute('aria-current')]);
    expect(current).toEqual([[home?.label, 'page']]);
  }
});

test('with the platform unavailable the header offers neither sign-in nor sign-out', async () => {
  openPage(shell, { loaded: unavailable, user: 503 });
  await waitFor(() => {
    expect(screen.getByText('Sign-in is unavailable')).toBeDefined();
  });
  expect(screen.queryByRole('button')).toBeNull();
});

test.each([
  ['🦊 fox', '🦊'],
  ['<b>Bobby</b>', 'B'],
  [' 7 of nine', '7'],
  [null, 'Y'],
])('the initial of the name %j is one complete character: %s', async (name, initial) => {
  const user = { ...ada, name };
  openPage(shell, { loaded: signedIn(user), user });
  expect(await screen.findByText(initial)).toBeDefined();
});

test.each([
  [400, 'Invalid request', []],
  [401, 'Sign in to see this page', ['Sign in']],
  [403, 'You do not have access to this page', []],
  [404, 'Page not found', []],
  [405, 'That is not possible here', []],
  [500, 'Something went wrong on our side', ['Try again']],
  [502, 'The platform is not responding', ['Try again']],
  [503, 'This is temporarily unavailable', ['Try again']],
  [504, 'The platform is not responding', ['Try again']],
  [418, 'Something went wrong', ['Try again']],
  [null, 'This page crashed', ['Try again']],
])('the error page for %s says “%s”, and offers the next step [W33]', (status, title, next) => {
  openPage(() => inSite(<ErrorPage status={status} />), {
    at: '/gallery?x=1',
    loaded: unavailable,
    user: 503,
  });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
  const offered = [...screen.queryAllByRole('button'), ...screen.getAllByRole('link')];
  expect(offered.map(({ textContent }) => textContent)).toEqual([...next, 'Go to the home page']);
  if (next[0] === 'Try again') {
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe(
      '/gallery?x=1',
    );
  }
});
