/** The action shared by all forms that request a link by mail, such as a reset link. */
import { parseFields } from '@gatehouse/frame/server';
import type { Attempt, LimitReached } from '@gatehouse/accounts';
import { replyTo, doneForm, limitedForm, refusedForm } from './form-replies.server';
import { emailSchema } from './schemas.server';

const intent = 'send';

/**
 * @param address the visitor's IP address, if known.
 * @param send sends in the background, so that the response time does not reveal whether the account exists.
 * @param done the message to show, which must not reveal it either.
 */
export function sendLink(
  form: FormData,
  address: string | undefined,
  send: (attempt: Attempt) => Promise<LimitReached | null>,
  done: string,
) {
  const submission = parseFields(form, emailSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { email } = submission.value;
  return replyTo(submission, intent, async () => {
    const limited = await send({ email, address });
    return limited ? limitedForm(submission, limited, intent) : doneForm(done, intent);
  });
}
