/** What happens to an account while one of its passwords is being hashed. */
import { expect, test, vi } from 'vitest';
import type * as Hashing from '@gatehouse/accounts/hashing';
import { HashingBusy } from '@gatehouse/accounts/hashing';
import type { AccountTables } from '@gatehouse/accounts';
import { store } from '~/store.server';
import { sentMails } from '@gatehouse/accounts/testing/mail-double';
import { mailedToken, startSiteWithAccounts } from '~/testing/site-with-accounts';

/** Runs once, after the next hash of that kind and before its caller goes on. */
const meanwhile = vi.hoisted(() => ({
  verifying: new Array<() => Promise<unknown>>(),
  hashing: new Array<() => Promise<unknown>>(),
}));

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('@gatehouse/accounts/hashing', async (original) => {
  const real = await original<typeof Hashing>();
  return {
    ...real,
    verifyPassword: async (call: Parameters<typeof real.verifyPassword>[0]) => {
      const isRight = await real.verifyPassword(call);
      await meanwhile.verifying.shift()?.();
      return isRight;
    },
    hashPassword: async (password: string) => {
      const hash = await real.hashPassword(password);
      await meanwhile.hashing.shift()?.();
      return hash;
    },
  };
});

const { browser, member, signedIn } = await startSiteWithAccounts();
const password = 'another long pass phrase';

/** Asks for a link for a new password. Opening it is left to the caller. */
async function resetOf(email: string) {
  await browser().post('/reset-password', { intent: 'send', email });
  const token = await mailedToken(email);
  return async () => {
    const done = await browser().post('/reset-password', { intent: 'reset', token, password });
    expect(done.text).toContain('Your password has been changed.');
  };
}

function sessionsOf(account: string) {
  return store<AccountTables>()
    .selectFrom('account_session')
    .select('id')
    .where('account_id', '=', account)
    .execute();
}

test('a sign-up that was answered is kept, although no password could be hashed just then', async () => {
  const ada = { name: 'Ada Quist', email: 'ada.late@example.com', password };
  meanwhile.hashing.push(() => Promise.reject(new HashingBusy('Too many passwords at once.')));
  const response = await browser().post('/sign-up', { ...ada });
  expect([response.status, response.text]).toEqual([200, expect.stringContaining(ada.email)]);
  const mailed = () =>
    sentMails.some(({ to, text }) => to === ada.email && text.includes('token='));
  await expect.poll(mailed).toBe(true);
});

test('a sign-in with the old password does not outlive a reset that comes while it is verified', async () => {
  const ada = await member();
  const account = await (await signedIn(ada)).accountId();
  meanwhile.verifying.push(await resetOf(ada.email));
  const thief = browser();
  const entered = await thief.signIn(ada);
  expect([entered.status, entered.setCookies]).toEqual([422, []]);
  expect(entered.text).toContain('Wrong e-mail address or password.');
  expect(await sessionsOf(account)).toEqual([]);
  await signedIn({ ...ada, password });
});

test('a change of the password does not undo a reset that comes while the new one is hashed', async () => {
  const ada = await member();
  const thief = await signedIn(ada);
  const account = await thief.accountId();
  const reset = await resetOf(ada.email);
  meanwhile.hashing.push(reset);
  const changed = await thief.post('/settings', {
    intent: 'password',
    account,
    current: ada.password,
    password: 'the pass phrase of Mallory',
  });
  expect([changed.status, changed.location]).toEqual([302, '/sign-in?return=%2Fsettings']);
  expect(await sessionsOf(account)).toEqual([]);
  await signedIn({ ...ada, password });
});

test.each([
  ['email', { email: 'other@example.org', password: 'CURRENT' }],
  ['password', { current: 'CURRENT', password }],
  ['delete', { password: 'CURRENT' }],
])(
  'a session that ends while the form “%s” is answered leads to sign-in',
  async (intent, fields) => {
    const ada = await member();
    const [here, there] = [await signedIn(ada), await signedIn(ada)];
    const account = await here.accountId();
    const given = Object.entries(fields).map(([name, value]) => [
      name,
      value === 'CURRENT' ? ada.password : value,
    ]);
    // The form's own verification is the first of them.
    meanwhile.verifying.push(() => there.post('/settings', { intent: 'end-others', account }));
    const response = await here.post('/settings', {
      ...(Object.fromEntries(given) as Record<string, string>),
      intent,
      account,
    });
    expect([response.status, response.location]).toEqual([302, '/sign-in?return=%2Fsettings']);
    await signedIn(ada);
  },
);
