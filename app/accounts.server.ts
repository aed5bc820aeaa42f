/** The site's own accounts: the guard, and what the forms of `accounts/` do. */
import { defineAccounts } from '@gatehouse/accounts';
import { networkOf } from '@gatehouse/server/client-address';
import { log } from '@gatehouse/server/log';
import { mailOf } from './accounts/mails.server';
import { siteEnv } from './env.server';
import { store } from './store.server';

export const {
  changeEmail,
  changeName,
  changePassword,
  checkAccount,
  confirmAddress,
  deleteAccount,
  endOtherSessions,
  endSession,
  endSessionOf,
  expiredSessionCookie,
  exportAccount,
  finishBackgroundWork,
  isSentToSignIn,
  listSessions,
  loadAccountState,
  readForm,
  requireAccount,
  requireAccountForm,
  resetPassword,
  sendReset,
  sendVerification,
  signIn,
  signUp,
  startBackgroundWork,
} = defineAccounts({
  settings: siteEnv,
  store,
  log,
  networkOf,
  mailOf,
  formMessages: {
    limited: (minutes) =>
      `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    otherAccount:
      'Another account is signed in now, and nothing was saved. Copy what you wrote, then reload the page.',
  },
  signInPath: '/sign-in',
});
