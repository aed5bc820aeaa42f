/** The actions of `/settings`, one for each form. */
import type { Submission } from '@conform-to/react';
import { redirect } from '@remix-run/node';
import type { AccountCall, PasswordRefused } from '@gatehouse/accounts';
import { parseFields } from '@gatehouse/frame/server';
import {
  changeEmail,
  changeName,
  changePassword,
  deleteAccount,
  endOtherSessions,
  endSession,
} from '~/accounts.server';
import { replyTo, doneForm, limitedForm, refusedField, refusedForm } from './form-replies.server';
import {
  changeEmailSchema,
  changePasswordSchema,
  deleteSchema,
  endSessionSchema,
  nameSchema,
} from './schemas.server';

export interface SettingsCall extends AccountCall {
  form: FormData;
}

export function submitName(call: SettingsCall) {
  const intent = 'name';
  const submission = parseFields(call.form, nameSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { name } = submission.value;
  return replyTo(submission, intent, async () => {
    await changeName(call, name);
    return doneForm('Saved.', intent);
  });
}

export function submitEmail(call: SettingsCall) {
  const intent = 'email';
  const submission = parseFields(call.form, changeEmailSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const credentials = submission.value;
  return replyTo(submission, intent, async () => {
    const result = await changeEmail(call, credentials);
    if (result.ok) {
      const { email } = credentials;
      return doneForm(`We have sent a link to ${email}. Open it to confirm the address.`, intent);
    }
    return result.reason === 'same'
      ? refusedField(submission, { email: ['This is already your address.'] }, intent)
      : refusedPassword(submission, result, intent, 'password');
  });
}

export function submitPassword(call: SettingsCall) {
  const intent = 'password';
  const submission = parseFields(call.form, changePasswordSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const passwords = submission.value;
  return replyTo(submission, intent, async () => {
    const result = await changePassword(call, passwords);
    return result.ok
      ? doneForm('Your password has been changed.', intent, { 'set-cookie': result.cookie })
      : refusedPassword(submission, result, intent, 'current');
  });
}

export function submitEnd({ account, form }: SettingsCall) {
  const intent = 'end-session';
  const submission = parseFields(form, endSessionSchema);
  const gone = () =>
    refusedForm(submission, 'This session no longer exists.', { intent, status: 404 });
  if (submission.status !== 'success') return gone();
  const { session } = submission.value;
  return replyTo(submission, intent, async () =>
    (await endSession(account.id, session)) ? doneForm('The session has ended.', intent) : gone(),
  );
}

export function submitEndOthers({ account, form }: SettingsCall) {
  const intent = 'end-others';
  return replyTo(parseFields(form, nameSchema.pick({})), intent, async () => {
    await endOtherSessions(account.id, account.sessionId);
    return doneForm('All other sessions have ended.', intent);
  });
}

export function submitDeletion(call: SettingsCall) {
  const intent = 'delete';
  const submission = parseFields(call.form, deleteSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { password } = submission.value;
  return replyTo(submission, intent, async () => {
    const result = await deleteAccount(call, password);
    return result.ok
      ? redirect('/', { status: 303, headers: { 'set-cookie': result.cookie } })
      : refusedPassword(submission, result, intent, 'password');
  });
}

/** @param field the one with the account's password. */
function refusedPassword<T>(
  submission: Submission<T>,
  refused: PasswordRefused,
  intent: string,
  field: string,
) {
  return refused.reason === 'limited'
    ? limitedForm(submission, refused, intent)
    : refusedField(submission, { [field]: ['Wrong password.'] }, intent);
}
