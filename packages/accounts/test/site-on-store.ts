/** Accounts on a file and on PostgreSQL, through what the package exports. */
import { afterAll, describe, expect } from 'vitest';
import { defineStore } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { hasPostgres, postgresDatabases } from '@gatehouse/store/testing/postgres-server';
import { accountMigrations, defineAccounts } from '../src/index.ts';
import type { AccountsSite } from '../src/site.ts';
import type { AccountTables } from '../src/tables.ts';

export const siteStore = defineStore({ url: () => '', migrations: accountMigrations });

export const db = () => siteStore.store<AccountTables>();

/** What the tests change of it. */
export const settings = {
  mode: 'production' as const,
  siteOrigin: 'https://site.example',
  frameAncestors: ['https://platform.example'],
  authSecrets: ['a key of at least 32 characters, such as this'],
  smtpUrl: 'smtp://127.0.0.1:9' as string | null,
  mailFrom: 'no-reply@site.example',
};

export const logged: { fields: object; message: string }[] = [];
const line = (fields: object, message: string) => void logged.push({ fields, message });

export const definition = {
  settings: () => settings,
  store: siteStore.store,
  log: { warn: line, error: line },
  networkOf: (address) => address,
  mailOf: (mail, link) => ({ subject: mail, text: link('/verify-email') }),
  formMessages: { limited: (minutes) => `Wait ${minutes} min.`, otherAccount: 'Another account.' },
  signInPath: '/sign-in',
} satisfies AccountsSite;

export const accounts = defineAccounts({ ...definition, roles: ['admin', 'editor'] });

/** Runs a suite on an empty store of each kind. */
export function onEachStore(suite: () => void): void {
  describe('with a file', () => {
    openEmptyStore(siteStore);
    suite();
  });
  describe.skipIf(!hasPostgres)('with PostgreSQL', async () => {
    if (!hasPostgres) return;
    const databases = await postgresDatabases();
    afterAll(() => databases.stop());
    openEmptyStore(siteStore, () => databases.newDatabase());
    suite();
  });
}

export const password = 'a few words are easy to remember';

/** Signs up without confirming the address. @param more what a form of the site has no field for. */
export async function signedUp(email: string, more: object = {}): Promise<string> {
  await accounts.signUp({ name: 'Ada', email, password, ...more }, undefined);
  await accounts.finishBackgroundWork();
  const { id } = await db()
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return id;
}

/** As the link in the mail does. */
export async function confirm(id: string): Promise<void> {
  await db().updateTable('account').set({ emailVerified: true }).where('id', '=', id).execute();
}

/** The arguments of a loader, with the session of a new sign-in; another request with each call. */
export async function signedIn(email: string) {
  const address = 'https://site.example/admin';
  const result = await accounts.signIn(new Request(address), { email, password }, undefined);
  if (!result.ok) throw new Error(result.reason);
  const [cookie = ''] = (result.headers.get('set-cookie') ?? '').split(';');
  expect(cookie).not.toBe('');
  return (path = '/admin') => ({
    request: new Request(new URL(path, address), { headers: { cookie } }),
    context: {},
  });
}
