/** Binds the functions of accounts to one site. */
import { finishBackgroundWork } from './background.ts';
import { readForm, requireAccountForm } from './forms.ts';
import {
  checkAccount,
  isSentToSignIn,
  loadAccountState,
  requireAccount,
  type Account,
  type AccountArgs,
} from './guard.ts';
import { ownLimit, type Attempt, type Limit } from './limits.ts';
import { startSending, stopSending, type Statements } from './mail/outbox.ts';
import { sendMail, type NewMail } from './mail/send-mail.ts';
import { sendReset, sendVerification } from './mail/verification.ts';
import { runRolesCommand } from './roles/command.ts';
import { expiredSessionCookie } from './session/session-cookie.ts';
import { endOtherSessions, endSession, endSessionOf, listSessions } from './session/sessions.ts';
import {
  changeEmail,
  changeName,
  changePassword,
  deleteAccount,
  type AccountCall,
} from './settings/change-settings.ts';
import { exportAccount } from './settings/export.ts';
import { resetPassword, signIn, type Credentials } from './sign-in.ts';
import { confirmAddress, signUp, type NewAccount } from './sign-up.ts';
import type { AccountsSite } from './site.ts';
import type { AccountTables } from './tables.ts';
import type { SiteStore } from '@gatehouse/store';

/** Of a site with whatever roles. */
export type Accounts = ReturnType<typeof defineAccounts<never>>;

/** The site's accounts: call it once, at the top of a module. */
export function defineAccounts<const Role extends string = never>(
  site: AccountsSite & { roles?: readonly Role[] },
) {
  return {
    /**
     * Finds who is signed in. Memoised: however many loaders call it, the store is queried once per
     * request.
     */
    checkAccount: (args: AccountArgs) => checkAccount(site, args),
    /**
     * The guard for pages: `const { account, db } = await requireAccount<NoteTables>(args)`, with the
     * types of the tables that the page uses. When it fails, it throws the `Response` that fits the
     * request. Signed out: a redirect to sign-in that returns to this page; under `/api` a 401. Store
     * unavailable: the error page with a 503. With `{ role: 'admin' }`, an account without that role gets a 403.
     *
     * @throws {Response}
     */
    requireAccount: <Tables = AccountTables>(args: AccountArgs, needed?: { role: Role }) =>
      requireAccount<Tables>(site, args, needed),
    /**
     * The same for the action of a page: `const { account, db, form } = await requireAccountForm(args)`, then
     * `return form.submit(schema, async (fields) => …)`.
     */
    requireAccountForm: <Tables = AccountTables>(args: AccountArgs, needed?: { role: Role }) =>
      requireAccountForm<Tables>(site, args, needed),
    /** A form that needs no account, such as sign-in. */
    readForm: (args: AccountArgs) => readForm(site, args),
    /** What pages may learn of the visitor: for the root's loader. */
    loadAccountState: (args: AccountArgs) => loadAccountState(site, args),
    isSentToSignIn: (args: AccountArgs) => isSentToSignIn(site, args),
    /** Once the store is open: sends the mails that wait in it, now and from now on. */
    startBackgroundWork: () => {
      startSending(site);
    },
    /** Waits for what continues after responses, before the store is closed. */
    finishBackgroundWork() {
      stopSending();
      return finishBackgroundWork(site);
    },
    /**
     * Keeps a mail in the store, from where it is sent soon, and again for three days until the mail server has taken it: at
     * least once. With a transaction, the mail is sent if what it is about is stored, and not otherwise.
     *
     * @returns false if the site sends no mail (`SMTP_URL=off`).
     */
    sendMail: (mail: NewMail, transaction?: Statements) => sendMail(site, mail, transaction),
    /** A limit of one of the site's own actions, declared beside it. */
    limit: (limit: Limit) => ownLimit(site, limit),

    signUp: (person: NewAccount, address: string | undefined) => signUp(site, person, address),
    confirmAddress: (token: string, request: Request) => confirmAddress(site, token, request),
    sendVerification: (attempt: Attempt) => sendVerification(site, attempt),
    signIn: (request: Request, given: Credentials, address: string | undefined) =>
      signIn(site, request, given, address),
    sendReset: (attempt: Attempt) => sendReset(site, attempt),
    resetPassword: (token: string, password: string) => resetPassword(site, token, password),
    endSessionOf: (request: Request) => endSessionOf(site, request),
    expiredSessionCookie: () => expiredSessionCookie(site),

    listSessions: (accountId: string) => listSessions(site, accountId),
    endSession: (accountId: string, id: string) => endSession(site, accountId, id),
    endOtherSessions: (accountId: string, keptId: string) =>
      endOtherSessions(site, accountId, keptId),
    changeName: (call: AccountCall, name: string) => changeName(site, call, name),
    changeEmail: (call: AccountCall, given: Credentials) => changeEmail(site, call, given),
    changePassword: (call: AccountCall, given: { current: string; password: string }) =>
      changePassword(site, call, given),
    deleteAccount: (call: AccountCall, password: string) => deleteAccount(site, call, password),
    exportAccount: (account: Account) => exportAccount(site, account),

    /** The program that grants and withdraws roles: `app/server/roles.ts`. */
    runRolesCommand: (argv: string[], store: Omit<SiteStore, 'store'>) =>
      runRolesCommand(site, argv, store),
  };
}
