// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ada, openPage, signedIn, signedOut, unavailable } from '@gatehouse/platform/remix/testing';
import Home from './home';

test.each([
  [signedOut, 401, 'Sign in to continue'],
  [unavailable, 503, 'The platform is not responding'],
  [signedIn(), ada, 'Welcome back, Ada.'],
  [signedIn({ id: 'u1' }), { id: 'u1' }, 'Welcome back.'],
] as const)('the home page greets, or says what is missing: %#', async (loaded, user, text) => {
  openPage(Home, { at: '/', loaded, user });
  expect(await screen.findByText(text, { exact: false })).toBeDefined();
});

test('the home page greets the visitor only once their identity is confirmed [W16]', async () => {
  openPage(Home, { at: '/' });
  expect(screen.queryByText(/Welcome back/)).toBeNull();
  expect(await screen.findByText('Credits: 7')).toBeDefined();
});
