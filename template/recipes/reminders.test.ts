/** `docs/recipes/accounts/reminders.md`: the job of its feature, at a time of the test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { accountMigrations, type AccountTables } from '@gatehouse/accounts';
import { allMails } from '@gatehouse/accounts/testing/mail-double';
import { defineStore, joinMigrations, scheduleMigrations, type Migrations } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { files, root } from './site-recipes';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'));
vi.mock('~/accounts.server', async (original) => {
  const { defineAccounts } = await import('@gatehouse/accounts');
  const real = await original<object>();
  const { store } = await import('~/store.server');
  const { sendMail } = defineAccounts({
    settings: () => ({
      mode: 'test',
      siteOrigin: 'https://site.example',
      frameAncestors: [],
      authSecrets: [],
      smtpUrl: 'smtp://127.0.0.1:9',
      mailFrom: 'no-reply@site.example',
    }),
    store,
    log: console,
    networkOf: () => null,
    mailOf: (subject) => ({ subject, text: '' }),
    formMessages: { limited: String, otherAccount: '' },
    signInPath: '/sign-in',
  });
  // The recipe for mail adds it.
  return { ...real, sendMail };
});

interface Tables extends AccountTables {
  reminder: { id: string; account_id: string; words: string; due_at: Date };
}

interface Feature {
  onStart: () => Promise<void>;
  onStop: () => Promise<void>;
  runDue: (now: Date) => Promise<void>;
}

await mkdir(path.join(root, '.cache'), { recursive: true });
// Inside the repository, so that its imports resolve.
const folder = await mkdtemp(path.join(root, '.cache/reminders-'));
afterAll(() => rm(folder, { recursive: true }));
for (const { recipe, title = '', code } of files) {
  if (recipe === 'accounts/reminders.md')
    await writeFile(path.join(folder, path.basename(title)), code);
}
const load = async (name: string) =>
  (await import(/* @vite-ignore */ path.join(folder, name))) as unknown;
const { reminderMigrations } = (await load('migrations.server.ts')) as {
  reminderMigrations: Migrations;
};
const { default: feature } = (await load('feature.server.ts')) as { default: Feature };

const site = defineStore({
  url: () => '',
  migrations: joinMigrations({
    accounts: accountMigrations,
    schedule: scheduleMigrations,
    reminders: reminderMigrations,
  }),
});
openEmptyStore(site);

const hour = 3_600_000;

test('each reminder that is due is mailed once, however often the job runs', async () => {
  const db = site.store<Tables>();
  const now = new Date();
  const ada = {
    ...{ id: crypto.randomUUID(), name: 'Ada', email: 'ada@example.org' },
    ...{ emailVerified: true, image: null, createdAt: now, updatedAt: now },
  };
  await db.insertInto('account').values(ada).execute();
  const remind = (words: string, inMilliseconds: number) => {
    const due_at = new Date(now.getTime() + inMilliseconds);
    const row = { id: crypto.randomUUID(), account_id: ada.id, words, due_at };
    return db.insertInto('reminder').values(row).execute();
  };
  const many = Array.from({ length: 120 }, (_, number) => `Number ${number}`);
  for (const words of many) await remind(words, -hour);
  await remind('Not yet', 48 * hour);

  await feature.onStart();
  const next = new Date(now.getTime() + hour);
  await Promise.all([feature.runDue(next), feature.runDue(next)]);
  await feature.runDue(new Date(next.getTime() + hour));
  await feature.onStop();
  const texts = (await allMails()).map(({ to, text }) => `${to}: ${text}`);
  expect(texts.sort()).toEqual(many.map((words) => `ada@example.org: ${words}`).sort());
  const left = await db.selectFrom('reminder').select('words').execute();
  expect(left).toEqual([{ words: 'Not yet' }]);
});
