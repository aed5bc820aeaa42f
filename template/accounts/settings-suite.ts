/** An account's settings over HTTP. Runs on either database. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { store } from '~/store.server';
import type { AccountTables } from '@gatehouse/accounts';
import { sentMails } from '@gatehouse/accounts/testing/mail-double';
import { mailedToken, type SiteWithAccounts } from '~/testing/site-with-accounts';

export function settingsSuite({ browser, member, signedIn }: SiteWithAccounts): void {
  const rowsOf = async (account: string) => {
    const tables = [
      ['account', 'id'],
      ['account_credential', 'account_id'],
      ['account_session', 'account_id'],
      ['account_verification', 'value'],
    ] as const;
    const counts = tables.map(async ([table, column]) => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${account}`.execute(
        store(),
      );
      return [table, rows[0]?.n];
    });
    return Object.fromEntries(await Promise.all(counts)) as Record<string, number>;
  };

  test('only the account’s own sessions are listed, with their browsers, and the current one is marked', async () => {
    const ada = await member();
    const there = browser();
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const { email, password } = ada;
    await there.post('/sign-in', { email, password }, { 'user-agent': firefox });
    await signedIn(await member());
    const { text } = await (await signedIn(ada)).get('/settings');
    expect(text).toContain('Firefox on Linux');
    expect(text.match(/· this browser/g)).toHaveLength(1);
    expect(text.match(/name="session"/g)).toHaveLength(1);
  });

  test('a new name is saved', async () => {
    const visitor = await signedIn(await member());
    const account = await visitor.accountId();
    const saved = await visitor.post('/settings', { intent: 'name', account, name: 'Ada Quist' });
    expect(saved.text).toContain('Saved.');
    expect((await visitor.get('/settings')).text).toContain('Ada Quist');
  });

  test('without JavaScript, the page that answers a form shows what it changed', async () => {
    const ada = await member();
    const [visitor, other] = [await signedIn(ada), await signedIn(ada)];
    const account = await visitor.accountId();
    const named = await visitor.post('/settings', { intent: 'name', account, name: 'Ada Quist' });
    expect(named.text).toMatch(/The site account of\W.*Ada Quist/);
    const password = 'another long pass phrase';
    const fields = { intent: 'password', account, current: ada.password, password };
    const changed = await visitor.post('/settings', fields);
    expect(changed.text.match(/· this browser/g)).toHaveLength(1);
    expect(changed.text).not.toContain('name="session"');
    expect((await other.get('/settings')).status).toBe(302);
  });

  test('an export has the account’s data, without hashes or tokens', async () => {
    const ada = await member();
    const visitor = await signedIn(ada);
    const { status, text } = await visitor.get('/api/account-export');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      account: { name: ada.name, email: ada.email, emailVerified: true },
      sessions: [{ browser: expect.any(String) as string }],
    });
    expect(text).not.toMatch(/\$scrypt\$|"token"|"password"/);
  });

  test('an export has each row of a product once, and a deletion is not stopped by a view', async () => {
    await sql`create table keepsake (id text primary key, account_id text)`.execute(store());
    await sql`create view keepsake_names as select id, account_id from keepsake`.execute(store());
    try {
      const ada = await member();
      const visitor = await signedIn(ada);
      const account = await visitor.accountId();
      await sql`insert into keepsake values ('a shell', ${account})`.execute(store());
      const { text } = await visitor.get('/api/account-export');
      expect(text).toContain('"keepsake"');
      expect(text.match(/a shell/g)).toHaveLength(1);
      const fields = { intent: 'delete', account, password: ada.password };
      expect((await visitor.post('/settings', fields)).status).toBe(303);
      const { rows } = await sql`select id from keepsake`.execute(store());
      expect(rows).toEqual([]);
    } finally {
      await sql`drop view keepsake_names`.execute(store());
      await sql`drop table keepsake`.execute(store());
    }
  });

  test('expired sessions are deleted at a sign-in, and no others', async () => {
    const [ada, bob] = [await member(), await member()];
    const [old, other] = [await signedIn(ada), await signedIn(bob)];
    const account = await old.accountId();
    await store<AccountTables>()
      .updateTable('account_session')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('account_id', '=', account)
      .execute();
    await signedIn(bob);
    expect((await rowsOf(account))['account_session']).toBe(0);
    expect((await other.get('/settings')).status).toBe(200);
  });

  test('deleting an account deletes all of its data, and nobody else’s', async () => {
    const [ada, bob] = [await member(), await member()];
    const [here, there, bobs] = [await signedIn(ada), await signedIn(ada), await signedIn(bob)];
    const [account, other] = [await here.accountId(), await bobs.accountId()];
    await browser().post('/reset-password', { intent: 'send', email: ada.email });
    const token = await mailedToken(ada.email);
    const before = await rowsOf(other);

    const wrong = { intent: 'delete', account, password: 'not the pass phrase' };
    expect((await here.post('/settings', wrong)).status).toBe(422);
    expect((await rowsOf(account))['account']).toBe(1);

    const deleted = await here.post('/settings', { ...wrong, password: ada.password });
    expect([deleted.status, deleted.location]).toEqual([303, '/']);
    expect(here.cookies.size).toBe(0);
    expect(new Set(Object.values(await rowsOf(account)))).toEqual(new Set([0]));
    expect((await there.get('/settings')).status).toBe(302);
    expect((await browser().signIn(ada)).status).toBe(422);
    const password = 'another long pass phrase';
    const reset = await browser().post('/reset-password', { intent: 'reset', token, password });
    expect(reset.status).toBe(422);
    expect(await rowsOf(other)).toEqual(before);
    expect((await bobs.get('/settings')).status).toBe(200);

    // The address can be used again.
    sentMails.length = 0;
    const again = browser();
    await again.post('/sign-up', { ...ada });
    await again.post('/verify-email', { intent: 'confirm', token: await mailedToken(ada.email) });
    await signedIn(ada);
  });
}
