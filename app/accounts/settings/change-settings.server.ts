/** The actions of `/settings`, one for each form. */
import { redirect } from '@remix-run/node';
import { isAPIError } from 'better-auth/api';
import { parseFields } from '~/frame/forms.server';
import { store } from '~/store/store.server';
import type { Account } from '../account.server';
import { auth, authHeaders } from '../auth.server';
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
import { countAttempt, forgiveAttempts } from '../limits/limits.server';
import { queueAccountMail } from '../mail/account-mails.server';
import { expiredSessionCookie } from '../session/session-cookie.server';
import { endOtherSessions, endSession, sessionCookieIn } from '../session/sessions.server';
import type { AccountTables } from '../tables.server';
import { deleteRows, productTables } from './account-rows.server';

export interface SettingsCall {
  account: Account;
  request: Request;
  form: FormData;
  /** The visitor's IP address, if known. */
  address: string | undefined;
}

export function changeName({ account, form }: SettingsCall) {
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
    return doneForm('Saved.', 'name');
  });
}

/** The address changes only when the link sent to the new one is opened. */
export function changeEmail(call: SettingsCall) {
  const { account, request, form, address } = call;
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
    await auth().api.changeEmail({ body: { newEmail: email }, headers: authHeaders(request) });
    queueAccountMail('email-change-asked', account);
    return doneForm(`We have sent a link to ${email}. Open it to confirm the address.`, intent);
  });
}

/** Ends all other sessions, and rotates this session's token. */
export function changePassword(call: SettingsCall) {
  const { account, request, form } = call;
  const intent = 'password';
  const submission = parseFields(form, changePasswordSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { current, password } = submission.value;
  return answered(submission, intent, async () => {
    const refused = await passwordRefused(call, current);
    if (refused === 'wrong') return refusedField(submission, { current: [wrong] }, intent);
    if (refused) return limitedForm(submission, refused, intent);
    const { headers } = await auth().api.changePassword({
      body: { currentPassword: current, newPassword: password, revokeOtherSessions: true },
      headers: authHeaders(request),
      returnHeaders: true,
    });
    await forgetLinks(account);
    queueAccountMail('password-changed', account);
    return doneForm('Your password has been changed.', intent, sessionCookieIn(headers));
  });
}

export function endOne({ account, form }: SettingsCall) {
  const intent = 'end-session';
  const submission = parseFields(form, endSessionSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { session } = submission.value;
  return answered(submission, intent, async () =>
    (await endSession(account.id, session))
      ? doneForm('The session has ended.', intent)
      : refusedForm(submission, 'This session no longer exists.', { intent, status: 404 }),
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
    await forgetLinks(account);
    for (const table of await productTables()) await deleteRows(table, account.id);
    await store<AccountTables>().deleteFrom('account').where('id', '=', account.id).execute();
    queueAccountMail('account-deleted', account);
    return redirect('/', { status: 303, headers: { 'set-cookie': expiredSessionCookie() } });
  });
}

const wrong = 'Wrong password.';

/** A stolen session must not allow guessing the password: attempts count as they do at sign-in. */
async function passwordRefused({ account, request, address }: SettingsCall, password: string) {
  const attempt = { email: account.email, address };
  const limited = await countAttempt('password', attempt);
  if (limited) return limited;
  try {
    await auth().api.verifyPassword({ body: { password }, headers: authHeaders(request) });
  } catch (error) {
    if (isAPIError(error)) return 'wrong';
    throw error;
  }
  await forgiveAttempts('password', attempt);
  return null;
}

/** Invalidates pending password links once a password was set. */
async function forgetLinks({ id }: Account): Promise<void> {
  await store<AccountTables>().deleteFrom('account_verification').where('value', '=', id).execute();
}
