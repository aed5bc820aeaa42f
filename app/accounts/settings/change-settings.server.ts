/** The actions of `/settings`, one for each form. */
import { redirect } from '@remix-run/node';
import { isAPIError } from 'better-auth/api';
import { parseFields } from '@gatehouse/frame/server';
import { store } from '~/store.server';
import {
  forgetAccount,
  signInRedirect,
  type Account,
  type AccountContext,
} from '@gatehouse/accounts/guard';
import { auth, authHeaders } from '@gatehouse/accounts/auth';
import {
  answered,
  doneForm,
  limitedForm,
  refusedField,
  refusedForm,
} from '../forms/form-replies.server';
import {
  changeEmailSchema,
  changePasswordSchema,
  deleteSchema,
  endSessionSchema,
  nameSchema,
} from '../forms/schemas.server';
import { countAttempt, forgiveAttempts } from '@gatehouse/accounts/limits/limits';
import { queueAccountMail } from '../mail/account-mails.server';
import { revokeLinks } from '@gatehouse/accounts/mail/confirmation-links';
import { findPasswordHash, replacePassword } from '@gatehouse/accounts/password/stored-password';
import { expiredSessionCookie, sessionCookieWith } from '@gatehouse/accounts/session/session-cookie';
import { endOtherSessions, endSession, isLive, renewSession } from '@gatehouse/accounts/session/sessions';
import type { AccountTables } from '@gatehouse/accounts/tables';
import { deleteRows, productTables } from '@gatehouse/accounts/settings/account-rows';

export interface SettingsCall {
  account: Account;
  request: Request;
  context: AccountContext;
  form: FormData;
  /** The visitor's IP address, if known. */
  address: string | undefined;
}

export function changeName({ account, context, form }: SettingsCall) {
  const submission = parseFields(form, nameSchema);
  if (submission.status !== 'success')
    return refusedForm(submission, undefined, { intent: 'name' });
  const { name } = submission.value;
  return answered(submission, 'name', async () => {
    await store<AccountTables>()
      .updateTable('account')
      .set({ name, updatedAt: new Date() })
      .where('id', '=', account.id)
      .execute();
    forgetAccount(context);
    return doneForm('Saved.', 'name');
  });
}

/** The address changes only when the link sent to the new one is opened. */
export function changeEmail(call: SettingsCall) {
  const { account, form, address } = call;
  const intent = 'email';
  const submission = parseFields(form, changeEmailSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { email, password } = submission.value;
  return answered(submission, intent, async () => {
    const refused = await passwordRefused(call, password);
    if (refused === 'wrong') return refusedField(submission, { password: [wrong] }, intent);
    if (refused) return limitedForm(submission, refused, intent);
    if (email === account.email)
      return refusedField(submission, { email: ['This is already your address.'] }, intent);
    const limited = await countAttempt('mail', { email, address });
    if (limited) return limitedForm(submission, limited, intent);
    await withSession(call, (headers) =>
      auth().api.changeEmail({ body: { newEmail: email }, headers }),
    );
    queueAccountMail('email-change-asked', account);
    return doneForm(`We have sent a link to ${email}. Open it to confirm the address.`, intent);
  });
}

/** Ends all other sessions, and rotates this session's token. */
export function changePassword(call: SettingsCall) {
  const { account, form } = call;
  const intent = 'password';
  const submission = parseFields(form, changePasswordSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { current, password } = submission.value;
  return answered(submission, intent, async () => {
    const known = await findPasswordHash(account.email);
    const refused = await passwordRefused(call, current);
    if (refused === 'wrong') return refusedField(submission, { current: [wrong] }, intent);
    if (refused) return limitedForm(submission, refused, intent);
    if (!(await replacePassword(account, known, password))) throw signInRedirect(call);
    await revokeLinks(account.id);
    await endOtherSessions(account.id, account.sessionId);
    const token = await renewSession(account.sessionId);
    queueAccountMail('password-changed', account);
    const cookie = { 'set-cookie': sessionCookieWith(token) };
    return doneForm('Your password has been changed.', intent, cookie);
  });
}

export function endOne({ account, form }: SettingsCall) {
  const intent = 'end-session';
  const submission = parseFields(form, endSessionSchema);
  const gone = () =>
    refusedForm(submission, 'This session no longer exists.', { intent, status: 404 });
  if (submission.status !== 'success') return gone();
  const { session } = submission.value;
  return answered(submission, intent, async () =>
    (await endSession(account.id, session)) ? doneForm('The session has ended.', intent) : gone(),
  );
}

export function endOthers({ account, form }: SettingsCall) {
  const intent = 'end-others';
  return answered(parseFields(form, nameSchema.pick({})), intent, async () => {
    await endOtherSessions(account.id, account.sessionId);
    return doneForm('All other sessions have ended.', intent);
  });
}

/**
 * Deletes the products' rows first: one cascade over very many would time out, or block the event
 * loop. If the store becomes unavailable in between, the account remains, and its deletion can be
 * repeated.
 */
export function deleteAccount(call: SettingsCall) {
  const { account, form } = call;
  const intent = 'delete';
  const submission = parseFields(form, deleteSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  return answered(submission, intent, async () => {
    const refused = await passwordRefused(call, submission.value.password);
    if (refused === 'wrong') return refusedField(submission, { password: [wrong] }, intent);
    if (refused) return limitedForm(submission, refused, intent);
    await revokeLinks(account.id);
    for (const table of await productTables()) await deleteRows(table, account.id);
    await store<AccountTables>().deleteFrom('account').where('id', '=', account.id).execute();
    queueAccountMail('account-deleted', account);
    return redirect('/', { status: 303, headers: { 'set-cookie': expiredSessionCookie() } });
  });
}

const wrong = 'Wrong password.';

/**
 * Calls the library with the request's session, which may have ended since the guard: by another
 * tab, or by a password reset.
 *
 * @throws {Response} a redirect to sign-in, if it has ended.
 */
async function withSession<Result>(
  call: SettingsCall,
  work: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(authHeaders(call.request));
  } catch (error) {
    if (isAPIError(error) && error.status === 'UNAUTHORIZED') throw signInRedirect(call);
    throw error;
  }
}

/**
 * A stolen session must not allow guessing the password: attempts count as they do at sign-in.
 *
 * @throws {Response} a redirect to sign-in, if the session ended while the password was verified:
 * a password reset must also stop requests already in progress in the sessions that it ends.
 */
async function passwordRefused(call: SettingsCall, password: string) {
  const { account, address } = call;
  const attempt = { email: account.email, address };
  const limited = await countAttempt('password', attempt);
  if (limited) return limited;
  try {
    await withSession(call, (headers) =>
      auth().api.verifyPassword({ body: { password }, headers }),
    );
  } catch (error) {
    if (isAPIError(error)) return 'wrong';
    throw error;
  }
  if (!(await isLive(account.sessionId))) throw signInRedirect(call);
  await forgiveAttempts('password', attempt);
  return null;
}
