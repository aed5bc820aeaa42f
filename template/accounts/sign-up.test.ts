/** Signing up at a site that sends no mail. */
import { expect, test, vi } from 'vitest';
import type * as Env from '~/env.server';
import { startSiteWithAccounts } from '~/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('~/env.server', async (original) => {
  const real = await original<typeof Env>();
  return { ...real, siteEnv: () => ({ ...real.siteEnv(), smtpUrl: null }) };
});

const { browser, person, signedIn } = await startSiteWithAccounts();

test('without mail, the account is there when sign-up leads to sign-in', async () => {
  const ada = person();
  const response = await browser().post('/sign-up', { ...ada });
  expect([response.status, response.location]).toEqual([303, '/sign-in?new=1']);
  const visitor = await signedIn(ada);
  expect((await visitor.get('/settings')).text).toContain(ada.email);
});

test('without mail, sign-up leads to sign-in with the way back', async () => {
  const fields = { ...person(), return: '/settings?tab=1' };
  const { location } = await browser().post('/sign-up', fields);
  expect(location).toBe('/sign-in?new=1&return=%2Fsettings%3Ftab%3D1');
});

test('without mail, a password of emoji within the limit signs up and in', async () => {
  const ada = { ...person(), password: '😀'.repeat(65) };
  const response = await browser().post('/sign-up', { ...ada });
  expect([response.status, response.location]).toEqual([303, '/sign-in?new=1']);
  await signedIn(ada);
});
