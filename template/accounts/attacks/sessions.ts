/** Attacks on sessions of site accounts, through HTTP. */
import { expect, test } from 'vitest';
import { sessionCookieName } from '@gatehouse/accounts';
import { store } from '~/store.server';
import type { AccountTables } from '@gatehouse/accounts';
import { signInToPlatform } from '~/testing/platform/platform-with-ada';
import { mailedToken, type SiteWithAccounts } from '~/testing/site-with-accounts';

export function attacksOnSessions({ browser, member, signedIn }: SiteWithAccounts): void {
  const cookieOf = (visitor: ReturnType<typeof browser>) =>
    visitor.cookies.get(sessionCookieName) ?? '';

  test('signing in replaces and invalidates a session that existed before (session fixation)', async () => {
    const mallory = await signedIn(await member());
    const planted = cookieOf(mallory);
    const victim = browser();
    victim.cookies.set(sessionCookieName, planted);
    await victim.signIn(await member());
    expect(cookieOf(victim)).not.toBe(planted);
    expect((await mallory.get('/settings')).status).toBe(302);
  });

  test.each([
    ['invented', () => 'token.signature'],
    ['without a signature', (cookie: string) => cookie.replace(/\..*$/, '')],
    ['signed for another token', (cookie: string) => `x${cookie}`],
    ['truncated', (cookie: string) => cookie.slice(0, -4)],
    ['invalidly encoded', () => '%E0%A4%A'],
  ])('a cookie that is %s is not accepted as a session', async (_, forge) => {
    const visitor = await signedIn(await member());
    expect((await visitor.get('/settings')).status).toBe(200);
    visitor.cookies.set(sessionCookieName, forge(cookieOf(visitor)));
    expect((await visitor.get('/settings')).status).toBe(302);
    expect((await visitor.get('/api/account-export')).status).toBe(401);
  });

  test('two session cookies in one request are both ignored', async () => {
    const [ada, bob] = [await signedIn(await member()), await signedIn(await member())];
    const cookie = `${sessionCookieName}=${cookieOf(ada)}; ${sessionCookieName}=${cookieOf(bob)}`;
    const headers = { cookie };
    expect((await browser().send('/api/account-export', { headers })).status).toBe(401);
  });

  test('the database contains no session token, and its hashes cannot be used as one', async () => {
    const visitor = await signedIn(await member());
    const [token = ''] = decodeURIComponent(cookieOf(visitor)).split('.');
    const rows = await store<AccountTables>()
      .selectFrom('account_session')
      .select('token')
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.token)).not.toContain(token);
    const visits = rows.map(async (row) => {
      const copied = browser();
      copied.cookies.set(sessionCookieName, cookieOf(visitor).replace(token, row.token));
      return (await copied.get('/api/account-export')).status;
    });
    expect(new Set(await Promise.all(visits))).toEqual(new Set([401]));
  });

  test('a changed password ends every other session, and renews this one', async () => {
    const ada = await member();
    const [here, there] = [await signedIn(ada), await signedIn(ada)];
    const before = cookieOf(here);
    const changed = await here.post('/settings', {
      intent: 'password',
      account: await here.accountId(),
      current: ada.password,
      password: 'another long pass phrase',
    });
    expect(changed.text).toContain('Your password has been changed.');
    expect(cookieOf(here)).not.toBe(before);
    expect((await here.get('/settings')).status).toBe(200);
    expect((await there.get('/settings')).status).toBe(302);
    const replayed = browser();
    replayed.cookies.set(sessionCookieName, before);
    expect((await replayed.get('/settings')).status).toBe(302);
    expect((await browser().signIn(ada)).status).toBe(422);
  });

  test('a reset password ends every session', async () => {
    const ada = await member();
    const visitor = await signedIn(ada);
    await browser().post('/reset-password', { intent: 'send', email: ada.email });
    const token = await mailedToken(ada.email);
    const password = 'another long pass phrase';
    const reset = await browser().post('/reset-password', { intent: 'reset', token, password });
    expect(reset.text).toContain('Your password has been changed.');
    expect(reset.setCookies).toEqual([]);
    expect((await visitor.get('/settings')).status).toBe(302);
    await signedIn({ ...ada, password });
  });

  test('a session id does not let another user end the session', async () => {
    const [ada, mallory] = [await signedIn(await member()), await signedIn(await member())];
    const sessions = await store<AccountTables>()
      .selectFrom('account_session')
      .select('id')
      .where('account_id', '=', await ada.accountId())
      .execute();
    expect(sessions).toHaveLength(1);
    const tried = await mallory.post('/settings', {
      intent: 'end-session',
      account: await mallory.accountId(),
      session: sessions[0]?.id ?? '',
    });
    expect(tried.status).toBe(404);
    expect((await ada.get('/settings')).status).toBe(200);
  });

  test('a user can end one of their other sessions, or all of them', async () => {
    const person = await member();
    const [here, second, third] = [
      await signedIn(person),
      await signedIn(person),
      await signedIn(person),
    ];
    const account = await here.accountId();
    const { text } = await here.get('/settings');
    const [, session = ''] = /name="session" value="([^"]+)"/.exec(text) ?? [];
    await here.post('/settings', { intent: 'end-session', account, session });
    const left = [(await second.get('/settings')).status, (await third.get('/settings')).status];
    expect(left.sort()).toEqual([200, 302]);
    await here.post('/settings', { intent: 'end-others', account });
    expect((await second.get('/settings')).status).toBe(302);
    expect((await third.get('/settings')).status).toBe(302);
    expect((await here.get('/settings')).status).toBe(200);
  });

  test('a form from one user’s page is refused after another has signed in', async () => {
    const visitor = await signedIn(await member());
    const account = await visitor.accountId();
    const bob = await member();
    await visitor.post('/sign-out', {});
    await visitor.signIn(bob);
    const sent = await visitor.post('/settings', { intent: 'name', account, name: 'Mallory' });
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('Another account is signed in now');
    expect(sent.text).toContain('value="Mallory"');
    expect((await visitor.get('/settings')).text).not.toContain('Mallory');
  });

  test('neither identity is accepted in place of the other [W29]', async () => {
    signInToPlatform();
    const visitor = browser();
    expect((await visitor.get('/account')).status).toBe(200);
    expect((await visitor.get('/settings')).status).toBe(302);
    expect((await visitor.get('/api/account-export')).status).toBe(401);
    await visitor.signIn(await member());
    expect((await visitor.get('/settings')).status).toBe(200);
    await visitor.post('/sign-out', {});
    expect((await visitor.get('/account')).status).toBe(200);
  });

  test('a site account does not grant access to a platform page [W29]', async () => {
    const visitor = await signedIn(await member());
    const sent = await visitor.get('/account');
    expect([sent.status, sent.location]).toEqual([302, '/__auth/login?return=%2Faccount']);
  });
}
