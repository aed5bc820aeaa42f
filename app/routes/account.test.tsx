// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { ada, openPage, signedOut } from '@gatehouse/platform/remix/testing';
import { openInShell } from '~/testing/platform/open-in-shell';
import * as account from './account';

test('the account page shows the profile’s fields, and hides them when the session ends [W15] [W18]', async () => {
  const profile = toSafeProfile({ ...ada, email: 'ada@example.test' });
  const page = openInShell(account, { at: '/account', loaderData: { profile } });
  expect(screen.getByText('ada@example.test')).toBeDefined();
  expect(screen.queryByText('Plan')).toBeNull();
  expect(screen.queryByText(/shares no details/)).toBeNull();

  await waitFor(() => {
    expect(page.requested.user).toBe(1);
  });
  page.user = 401;
  page.loaded = signedOut;
  fireEvent.focus(window);
  expect(await screen.findByText('Sign in to see your account')).toBeDefined();
  expect(screen.queryByText('ada@example.test')).toBeNull();
});

test('the account page of an empty profile says that there are no details', async () => {
  openPage(account.default, {
    at: '/account',
    loaderData: { profile: toSafeProfile({ id: 'u1' }) },
  });
  expect(screen.getByText('The platform shares no details about this account.')).toBeDefined();
  expect(screen.queryByRole('term')).toBeNull();
  await Promise.resolve();
});
