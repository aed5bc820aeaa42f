/** Accounts of a site's own: the guard, and what the site's forms do. */
export type { AccountState } from './account-state.ts';
export { defineAccounts, type Accounts } from './accounts.ts';
export type { FormOutcome, FormReply, OpenAccountFormGuard, SubmittedForm } from './forms.ts';
export { accountFailureResponse, accountStateOf, hasCheckedAccount } from './guard.ts';
export type {
  Account,
  AccountArgs,
  AccountContext,
  AccountGuard,
  FailedAccountGuard,
  OpenAccountGuard,
  PassedAccountGuard,
} from './guard.ts';
export type { Attempt, Limit, LimitReached, Rate } from './limits.ts';
export type { MailParagraph } from './mail/mail-body.ts';
export type { NewMail } from './mail/send-mail.ts';
export { accountMigrations } from './migrations.ts';
export { requireSameAccount } from './same-account.ts';
export { sessionCookieName } from './session/session-cookie.ts';
export type { SessionRow } from './session/sessions.ts';
export type { AccountCall, ChangedSession, PasswordRefused } from './settings/change-settings.ts';
export type { Credentials, SignInResult } from './sign-in.ts';
export type { NewAccount, SignUpResult } from './sign-up.ts';
export type {
  AccountMail,
  AccountsLog,
  AccountsSettings,
  AccountsSite,
  MailLink,
  MailWords,
} from './site.ts';
export type { AccountTables } from './tables.ts';
