/** Accounts that send mail, on a store of the test. */
import { defineStore } from '@gatehouse/store';
import {
  accountMigrations,
  defineAccounts,
  type AccountsLog,
  type AccountsSettings,
} from '../src/index.ts';

export const mailingStore = defineStore({ url: () => '', migrations: accountMigrations });

export const settings = (smtpUrl: string | null): AccountsSettings => ({
  mode: 'test',
  siteOrigin: 'https://site.example',
  frameAncestors: ['https://platform.example'],
  authSecrets: ['a key of at least 32 characters, such as this'],
  smtpUrl,
  mailFrom: 'no-reply@site.example',
});

export function mailingSite(settings: () => AccountsSettings, log: AccountsLog) {
  return defineAccounts({
    settings,
    store: mailingStore.store,
    log,
    networkOf: (address) => address,
    mailOf: (subject, link) => ({ subject, text: link('/verify-email') }),
    formMessages: { limited: String, otherAccount: 'Another account is signed in.' },
    signInPath: '/sign-in',
  });
}
