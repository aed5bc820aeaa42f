/** Account enumeration through response text, status and headers, and other attacks on form fields. */
import { expect, test } from 'vitest';
import { readFlag } from '@gatehouse/store';
import { store } from '~/store.server';
import type { AccountTables } from '@gatehouse/accounts';
import { allMails, sentMails } from '@gatehouse/accounts/testing/mail-double';
import type { Visit } from '@gatehouse/server/remix/testing';
import { mailedToken, type SiteWithAccounts } from '~/testing/site-with-accounts';

export function attacksByEnumeration({
  browser,
  person,
  member,
  signedIn,
}: SiteWithAccounts): void {
  /** Everything that a response discloses, with the submitted address masked. */
  function seen({ status, headers, text }: Visit, email: string): string {
    return JSON.stringify([status, [...headers], text]).replaceAll(email, 'EMAIL');
  }

  test.each<[string, (email: string) => Record<string, string>]>([
    ['/sign-in', (email) => ({ email, password: 'a wrong pass phrase' })],
    ['/sign-up', (email) => ({ name: 'Ada', email, password: 'a long phrase' })],
    ['/reset-password', (email) => ({ intent: 'send', email })],
    ['/verify-email', (email) => ({ intent: 'send', email })],
  ])('%s responds the same whether the account exists or not', async (path, fieldsFor) => {
    const known = await member();
    const unconfirmed = person();
    await browser().post('/sign-up', { ...unconfirmed });
    await mailedToken(unconfirmed.email);
    const responses = new Set<string>();
    for (const { email } of [known, unconfirmed, person()]) {
      responses.add(seen(await browser().post(path, fieldsFor(email)), email));
    }
    expect(responses.size).toBe(1);
  });

  test('signing up with an address in use changes nothing, and notifies its owner', async () => {
    const ada = await member();
    const tried = { ...ada, name: 'Mallory', password: 'the pass phrase of Mallory' };
    await browser().post('/sign-up', { ...tried });
    await expect
      .poll(() => sentMails.map(({ subject }) => subject), { interval: 5 })
      .toEqual(['You already have an account at Gatehouse']);
    expect((await browser().signIn(tried)).status).toBe(422);
    const visitor = await signedIn(ada);
    expect((await visitor.get('/settings')).text).not.toContain('Mallory');
  });

  test('e-mail addresses are case-insensitive', async () => {
    const ada = await member();
    await signedIn({ ...ada, email: ` ${ada.email.toUpperCase()} ` });
  });

  test('unknown form fields have no effect', async () => {
    const ada = person();
    const more = {
      id: 'chosen',
      emailVerified: 'true',
      email_verified: '1',
      role: 'admin',
      createdAt: '1970-01-01',
      image: 'https://evil.test/x.png',
      callbackURL: 'https://evil.test/',
      rememberMe: 'false',
    };
    await browser().post('/sign-up', { ...ada, ...more });
    await mailedToken(ada.email);
    expect((await browser().post('/sign-in', { ...ada, ...more })).status).toBe(403);
    const found = await store<AccountTables>()
      .selectFrom('account')
      .selectAll()
      .where('email', '=', ada.email)
      .executeTakeFirstOrThrow();
    expect([found.image, readFlag(found.emailVerified)]).toEqual([null, false]);
    expect(found.id).not.toBe('chosen');

    const bob = await member();
    const visitor = await signedIn(bob);
    const account = await visitor.accountId();
    const fields = { intent: 'name', account, name: 'Bob', email: 'taken@example.org', ...more };
    await visitor.post('/settings', fields);
    const { text } = await visitor.get('/settings');
    expect(text).toContain(bob.email);
    expect(text).not.toContain('taken@example.org');
  });

  const sql = [
    `' OR '1'='1`,
    `'; DROP TABLE account; --`,
    `" OR ""="`,
    `1) UNION SELECT password FROM account_credential --`,
    `\\'; SELECT pg_sleep(10); --`,
    `%' OR email LIKE '%`,
  ];

  test.each(sql)('SQL in every field is text: %s', async (text) => {
    const ada = await member();
    const here = await signedIn(ada);
    const account = await here.accountId();
    const visitor = browser('198.51.100.7');
    const fields = [
      'name',
      'email',
      'password',
      'current',
      'token',
      'session',
      'return',
      'account',
    ];
    const all = Object.fromEntries(fields.map((name) => [name, text]));
    for (const path of ['/sign-in', '/sign-up', '/reset-password', '/verify-email']) {
      for (const intent of ['sign-in', 'sign-up', 'send', 'confirm', 'reset', text]) {
        const response = await visitor.post(path, { ...all, intent });
        expect([path, intent, response.status]).toEqual([path, intent, 422]);
      }
    }
    const email = `${text.replaceAll(/[^a-z]/gi, '')}@example.org`;
    expect((await visitor.signIn({ ...ada, password: text })).status).toBe(422);
    expect((await visitor.post('/sign-in', { email, password: text })).status).toBe(422);
    for (const intent of ['email', 'password', 'end-session', 'delete']) {
      const response = await here.post('/settings', { ...all, intent, account });
      expect([intent, response.status]).toEqual([intent, intent === 'end-session' ? 404 : 422]);
    }
    await here.post('/settings', { intent: 'name', account, name: text });
    const { text: exported } = await here.get('/api/account-export');
    expect(JSON.parse(exported)).toMatchObject({ account: { name: text, email: ada.email } });
  });

  test('a token or id with a NUL is refused before it reaches the store', async () => {
    const here = await signedIn(await member());
    const account = await here.accountId();
    const nul = 'x\u0000';
    const password = 'another long pass phrase';
    const responses = await Promise.all([
      browser().post('/reset-password', { intent: 'reset', token: nul, password }),
      browser().post('/verify-email', { intent: 'confirm', token: nul }),
      here.post('/settings', { intent: 'end-session', account, session: nul }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([422, 422, 404]);
    expect(responses[0].text).toContain('This link has expired or was already used.');
    expect(responses[2].text).toContain('This session no longer exists.');
  });

  test.each(['Ada\u0000', 'Ada\nBcc: all@example.org', 'a'.repeat(81)])(
    'a name with control characters, or of more than 80 characters, is refused: %j',
    async (name) => {
      const response = await browser().post('/sign-up', { ...person(), name });
      expect(response.status).toBe(422);
      expect(await allMails()).toEqual([]);
    },
  );

  test('a password over the size limit is refused before it is hashed', async () => {
    const ada = await member();
    const response = await browser().signIn({ ...ada, password: 'x'.repeat(10_000) });
    expect(response.status).toBe(422);
  });
}
