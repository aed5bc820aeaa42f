/** What a signed-in visitor changes about the account. */
import { isAPIError } from 'better-auth/api';
import { auth, authHeaders } from '../auth.ts';
import { forgetAccount, signInRedirect, type Account, type AccountArgs } from '../guard.ts';
import { countAttempt, forgiveAttempts, type LimitReached } from '../limits.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import { revokeLinks } from '../mail/confirmation-links.ts';
import { withMails } from '../mail/outbox.ts';
import { mailLimit } from '../mail/verification.ts';
import { hashPassword } from '../password/hashing.ts';
import { findPasswordHash, replacePassword } from '../password/stored-password.ts';
import { wrongPasswords } from '../password/wrong-passwords.ts';
import { expiredSessionCookie, sessionCookieWith } from '../session/session-cookie.ts';
import { endOtherSessions, isLive, renewSession } from '../session/sessions.ts';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';
import { deleteRows, productTables } from './account-rows.ts';

/** A request whose guard has passed. */
export interface AccountCall extends AccountArgs {
  account: Account;
  /** The visitor's IP address, if known. */
  address: string | undefined;
}

/** The account's password was needed, and was not given. */
export type PasswordRefused = { ok: false; reason: 'wrong' } | LimitReached;

/** A change that sets or deletes the session's cookie. */
export interface ChangedSession {
  ok: true;
  /** The `Set-Cookie` header. */
  cookie: string;
}

export async function changeName(
  site: AccountsSite,
  { account, context }: AccountCall,
  name: string,
): Promise<void> {
  await site
    .store<AccountTables>()
    .updateTable('account')
    .set({ name, updatedAt: new Date() })
    .where('id', '=', account.id)
    .execute();
  forgetAccount(context);
}

/** The address changes only when the link sent to the new one is opened. */
export async function changeEmail(
  site: AccountsSite,
  call: AccountCall,
  { email, password }: { email: string; password: string },
): Promise<{ ok: true } | { ok: false; reason: 'same' } | PasswordRefused> {
  const { account, address } = call;
  const refused = await passwordRefused(site, call, password);
  if (refused) return refused;
  if (email === account.email) return { ok: false, reason: 'same' };
  const limited = await countAttempt(site, mailLimit, { email, address });
  if (limited) return limited;
  await withSession(site, call, (headers) =>
    auth(site).api.changeEmail({ body: { newEmail: email }, headers }),
  );
  await queueAccountMail(site, 'email-change-requested', account);
  return { ok: true };
}

/** Ends all other sessions, and rotates this session's token. */
export async function changePassword(
  site: AccountsSite,
  call: AccountCall,
  { current, password }: { current: string; password: string },
): Promise<ChangedSession | PasswordRefused> {
  const { account } = call;
  const known = await findPasswordHash(site, account.email);
  const refused = await passwordRefused(site, call, current);
  if (refused) return refused;
  const hash = await hashPassword(password);
  const isReplaced = await withMails(site, async (db) => {
    if (!(await replacePassword(db, account, { known, hash }))) return false;
    await revokeLinks(db, account.id);
    await queueAccountMail(site, 'password-changed', account, { db });
    return true;
  });
  if (!isReplaced) throw signInRedirect(site, call);
  await endOtherSessions(site, account.id, account.sessionId);
  const token = await renewSession(site, account.sessionId);
  return { ok: true, cookie: sessionCookieWith(site, token) };
}

/**
 * Deletes the products' rows first: one cascade over very many would time out, or block the event
 * loop. If the store becomes unavailable in between, the account remains, and its deletion can be
 * repeated.
 */
export async function deleteAccount(
  site: AccountsSite,
  call: AccountCall,
  password: string,
): Promise<ChangedSession | PasswordRefused> {
  const { account } = call;
  const refused = await passwordRefused(site, call, password);
  if (refused) return refused;
  await revokeLinks(site.store<AccountTables>(), account.id);
  for (const table of await productTables(site)) await deleteRows(site, table, account.id);
  await withMails(site, async (db) => {
    await db.deleteFrom('account').where('id', '=', account.id).execute();
    await queueAccountMail(site, 'account-deleted', account, { db });
  });
  return { ok: true, cookie: expiredSessionCookie(site) };
}

/**
 * Calls the library with the request's session, which may have ended since the guard: by another
 * tab, or by a password reset.
 *
 * @throws {Response} a redirect to sign-in, if it has ended.
 */
async function withSession<Result>(
  site: AccountsSite,
  call: AccountCall,
  work: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(authHeaders(site, call.request));
  } catch (error) {
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') throw signInRedirect(site, call);
    throw error;
  }
}

/**
 * A stolen session must not allow guessing the password: attempts count as they do at sign-in.
 *
 * @throws {Response} a redirect to sign-in, if the session ended while the password was verified:
 * a password reset must also stop requests already in progress in the sessions that it ends.
 */
async function passwordRefused(
  site: AccountsSite,
  call: AccountCall,
  password: string,
): Promise<PasswordRefused | null> {
  const { account, address } = call;
  const attempt = { email: account.email, address };
  const limited = await countAttempt(site, wrongPasswords, attempt);
  if (limited) return limited;
  try {
    await withSession(site, call, (headers) =>
      auth(site).api.verifyPassword({ body: { password }, headers }),
    );
  } catch (error) {
    if (isAPIError(error)) return { ok: false, reason: 'wrong' };
    throw error;
  }
  if (!(await isLive(site, account.sessionId))) throw signInRedirect(site, call);
  await forgiveAttempts(site, wrongPasswords, attempt);
  return null;
}
