/** Attacks on passwords and on mailed links, over HTTP. */
import { expect, test } from 'vitest';
import { store } from '~/store.server';
import type { AccountTables } from '@gatehouse/accounts';
import { allMails, sentMails } from '@gatehouse/accounts/testing/mail-double';
import { mailedToken, type Browser, type SiteWithAccounts } from '~/testing/site-with-accounts';

export function attacksOnCredentials({
  browser,
  person,
  member,
  signedIn,
}: SiteWithAccounts): void {
  const password = 'another long pass phrase';
  const reset = (token: string) =>
    browser().post('/reset-password', { intent: 'reset', token, password });
  const stale = 'This link has expired or was already used.';

  async function resetToken(email: string): Promise<string> {
    await browser().post('/reset-password', { intent: 'send', email });
    return mailedToken(email);
  }

  test('a password reset link works once, also for concurrent requests', async () => {
    const { email } = await member();
    const token = await resetToken(email);
    const responses = await Promise.all([reset(token), reset(token), reset(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect((await reset(token)).text).toContain(stale);
  });

  test('using a newer link invalidates older ones', async () => {
    const { email } = await member();
    const older = await resetToken(email);
    sentMails.length = 0;
    const newer = await resetToken(email);
    expect(newer).not.toBe(older);
    expect((await reset(newer)).status).toBe(200);
    expect((await reset(older)).text).toContain(stale);
  });

  test('a link sets only the password of its own account', async () => {
    const [ada, mallory] = [await member(), await member()];
    const token = await resetToken(mallory.email);
    const fields = { intent: 'reset', token, password, email: ada.email, userId: 'x' };
    await browser().post('/reset-password', fields);
    await signedIn(ada);
    await signedIn({ ...mallory, password });
  });

  test('an expired link does not set a password', async () => {
    const ada = await member();
    const token = await resetToken(ada.email);
    const expiresAt = new Date(Date.now() - 1);
    await store<AccountTables>().updateTable('account_verification').set({ expiresAt }).execute();
    expect((await reset(token)).text).toContain(stale);
    await signedIn(ada);
  });

  test('the database contains no token of a link', async () => {
    const token = await resetToken((await member()).email);
    const rows = await store<AccountTables>()
      .selectFrom('account_verification')
      .selectAll()
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('a link works only for its own purpose', async () => {
    const ada = await member();
    const forPassword = await resetToken(ada.email);
    const confirmed = await browser().post('/verify-email', {
      intent: 'confirm',
      token: forPassword,
    });
    expect(confirmed.status).toBe(422);
    const bob = person();
    await browser().post('/sign-up', { ...bob });
    expect((await reset(await mailedToken(bob.email))).status).toBe(422);
  });

  test('only the owner can change an address, with the link sent to the new one', async () => {
    const ada = await member();
    const here = await signedIn(ada);
    const email = `new-${ada.email}`;
    const fields = { intent: 'email', account: await here.accountId(), email };
    const wrong = await here.post('/settings', { ...fields, password: 'not the password' });
    expect([wrong.status, await allMails()]).toEqual([422, []]);
    const changed = await here.post('/settings', { ...fields, password: ada.password });
    expect(changed.text).toContain(`We have sent a link to ${email}`);
    // The old address receives a notification without a link.
    const mails = (await allMails()).filter(({ to }) => to === ada.email);
    expect(mails.map(({ text }) => text.includes('token='))).toEqual([false]);
    expect((await here.get('/settings')).text).not.toContain(`, ${email}`);

    const token = await mailedToken(email);
    const mallory = await signedIn(await member());
    expect((await mallory.post('/verify-email', { intent: 'confirm', token })).status).toBe(422);
    expect((await here.post('/verify-email', { intent: 'confirm', token })).status).toBe(200);
    await signedIn({ ...ada, email });
    expect((await browser().signIn(ada)).status).toBe(422);
    // A used link is invalid.
    expect((await here.post('/verify-email', { intent: 'confirm', token })).status).toBe(422);
  });

  /** Asks for another address, as a thief who knows the password does. */
  async function changeToken(visitor: Browser, email: string, current: string): Promise<string> {
    const account = await visitor.accountId();
    await visitor.post('/settings', { intent: 'email', account, email, password: current });
    return mailedToken(email);
  }

  test('a link that changes the address is void once the password was reset', async () => {
    const ada = await member();
    const thief = `thief-${ada.email}`;
    const token = await changeToken(await signedIn(ada), thief, ada.password);
    expect((await reset(await resetToken(ada.email))).status).toBe(200);
    const opened = await browser().post('/verify-email', { intent: 'confirm', token });
    expect([opened.status, opened.text]).toEqual([422, expect.stringContaining('is invalid')]);
    await signedIn({ ...ada, password });
  });

  test('a link that changes the address is void once the password was changed', async () => {
    const ada = await member();
    const here = await signedIn(ada);
    const token = await changeToken(await signedIn(ada), `thief-${ada.email}`, ada.password);
    const fields = { account: await here.accountId(), current: ada.password, password };
    await here.post('/settings', { intent: 'password', ...fields });
    const opened = await browser().post('/verify-email', { intent: 'confirm', token });
    expect(opened.status).toBe(422);
    await signedIn({ ...ada, password });
  });

  test('once an address was changed, the old mailbox is told, and its password link is void', async () => {
    const ada = await member();
    const email = `new-${ada.email}`;
    const token = await changeToken(await signedIn(ada), email, ada.password);
    const old = await resetToken(ada.email);
    (await allMails()).length = 0;
    expect((await browser().post('/verify-email', { intent: 'confirm', token })).status).toBe(200);
    expect((await allMails()).map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, 'The e-mail address of your account at Gatehouse has been changed'],
    ]);
    expect((await reset(old)).text).toContain(stale);
    await signedIn({ ...ada, email });
  });

  test('changing to an address in use has no effect, and does not reveal that it is in use', async () => {
    const [ada, bob] = [await member(), await member()];
    const here = await signedIn(ada);
    const account = await here.accountId();
    const change = (email: string) =>
      here.post('/settings', { intent: 'email', account, email, password: ada.password });
    const taken = await change(bob.email);
    const free = await change('nobody@example.org');
    expect([taken.status, free.status]).toEqual([200, 200]);
    expect(taken.text.replaceAll(bob.email, '')).toBe(
      free.text.replaceAll('nobody@example.org', ''),
    );
    expect((await allMails()).filter(({ to }) => to === bob.email)).toEqual([]);
  });

  test('an account allows ten password guesses, from any number of IP addresses', async () => {
    const ada = await member();
    const guess = (n: number) =>
      browser(`198.51.100.${n}`).signIn({ ...ada, password: `a wrong pass phrase ${n}` });
    const statuses: number[] = [];
    for (let n = 1; n <= 12; n++) statuses.push((await guess(n)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
    const right = await browser('198.51.100.99').signIn(ada);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(60);

    // The owner is not locked out: a mailed reset link lifts the limit.
    expect((await reset(await resetToken(ada.email))).status).toBe(200);
    await signedIn({ ...ada, password });
  });

  test('concurrent guesses count like sequential ones', async () => {
    const ada = await member();
    const guesses = Array.from({ length: 30 }, (_, n) =>
      browser().signIn({ ...ada, password: `a wrong pass phrase ${n}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
  });

  test('an account that does not exist has the same limit', async () => {
    const nobody = person();
    const statuses: number[] = [];
    for (let n = 1; n <= 11; n++) statuses.push((await browser().signIn(nobody)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  test('an IP address is limited to attempts on a hundred accounts', async () => {
    const from = '192.0.2.44';
    const tries = Array.from({ length: 101 }, () => browser(from).signIn(person()));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await browser('192.0.2.45').signIn(person())).status).toBe(422);
  });

  test('an IP address that is limited cannot use up the attempts of an account', async () => {
    const [ada, from] = [await member(), '192.0.2.46'];
    const signIn = () => browser(from).signIn({ ...person(), password: 'a wrong pass phrase' });
    await Promise.all(Array.from({ length: 101 }, signIn));
    const guess = () => browser(from).signIn({ ...ada, password: 'a wrong pass phrase' });
    for (let n = 1; n <= 10; n++) expect((await guess()).status).toBe(429);
    await signedIn(ada);
  });

  test('password guesses from within a stolen session have the same limit', async () => {
    const ada = await member();
    const here = await signedIn(ada);
    const account = await here.accountId();
    const statuses: number[] = [];
    for (let n = 1; n <= 11; n++) {
      const fields = { intent: 'delete', account, password: `a wrong pass phrase ${n}` };
      statuses.push((await here.post('/settings', fields)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    expect((await here.get('/settings')).status).toBe(200);
  });

  test('an account is mailed at most five links for a password an hour', async () => {
    const { email } = await member();
    const statuses: number[] = [];
    for (let n = 1; n <= 6; n++) {
      const response = await browser().post('/reset-password', { intent: 'send', email });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array<number>(5).fill(200), 429]);
  });

  test('whoever signs up with a stranger’s address is limited, and the stranger can still reset the password', async () => {
    const ada = await member();
    const statuses: number[] = [];
    for (let n = 1; n <= 5; n++) {
      const tried = { ...ada, password: `the pass phrase of Mallory ${n}` };
      statuses.push((await browser().post('/sign-up', { ...tried })).status);
    }
    // The first of the five was Ada's own.
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect((await reset(await resetToken(ada.email))).status).toBe(200);
    await signedIn({ ...ada, password });
  });
}
