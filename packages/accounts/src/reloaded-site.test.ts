/** A site that development has reloaded: defined anew, on the store that is still open. */
import { defineStore } from '@gatehouse/store';
import { openEmptyStore } from '@gatehouse/store/testing/empty-store';
import { expect, test, vi } from 'vitest';
import { accountMigrations, defineAccounts } from './index.ts';
import { allMails } from './testing/mail-double.ts';

vi.mock('./mail/mailer.ts', () => import('./testing/mail-double.ts'));
vi.mock('./costs.ts', () => import('./testing/low-costs.ts'));

const siteStore = defineStore({ url: () => 'file:data/site.db', migrations: accountMigrations });
openEmptyStore(siteStore);

const siteWithWords = (subject: string) =>
  defineAccounts({
    settings: () => ({
      mode: 'development',
      siteOrigin: 'https://site.example',
      frameAncestors: ['https://platform.example'],
      authSecrets: ['a key of at least 32 characters, such as this'],
      smtpUrl: 'smtp://127.0.0.1:9',
      mailFrom: 'no-reply@site.example',
    }),
    store: siteStore.store,
    log: console,
    networkOf: (address) => address,
    mailOf: (_mail, link) => ({ subject, text: link('/verify-email') }),
    formMessages: { limited: String, otherAccount: 'Another account is signed in.' },
    signInPath: '/sign-in',
  });

test('mails have the words of the site as it is now', async () => {
  for (const [subject, email] of [
    ['Confirm your address', 'ada@example.org'],
    ['Welcome', 'eve@example.org'],
  ] as const) {
    const { signUp } = siteWithWords(subject);
    await signUp({ name: 'Ada', email, password: 'a few words are easy to remember' }, undefined);
    expect((await allMails()).map((mail) => [mail.to, mail.subject])).toContainEqual([
      email,
      subject,
    ]);
  }
});
