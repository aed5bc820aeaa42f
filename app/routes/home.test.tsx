// auth: platform
// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ada, openPage, signedIn, signedOut, unavailable } from '~/testing/page-double';
import Home from './home';

test.each([
  [signedOut, 401, 'Sign in to go on'],
  [unavailable, 503, 'The platform does not answer'],
  [signedIn(), ada, 'Good to see you, Ada.'],
  [signedIn({ id: 'u1' }), { id: 'u1' }, 'Good to see you.'],
] as const)('the home page greets, or says what is missing: %#', async (loaded, user, text) => {
  openPage(Home, { at: '/', loaded, user });
  expect(await screen.findByText(text, { exact: false })).toBeDefined();
});

test('the home page greets nobody before it is confirmed who it is [W16]', async () => {
  openPage(Home, { at: '/' });
  expect(screen.queryByText(/Good to see you/)).toBeNull();
  expect(await screen.findByText('Credits: 7')).toBeDefined();
});
