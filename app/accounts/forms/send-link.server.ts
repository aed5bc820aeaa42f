/** The form that has a mail with a link sent, whatever the link is for. */
import { parseFields } from '~/frame/forms.server';
import type { Attempt, Limited } from '../limits/limits.server';
import { answered, doneForm, limitedForm, refusedForm } from './form-replies.server';
import { emailSchema } from './schemas.server';

const intent = 'send';

/**
 * @param address the visitor's, where it is known.
 * @param send in the background, so that the time of the answer does not tell whether there is such an account.
 * @param done what is said then, which does not tell it either.
 */
export function sendLink(
  form: FormData,
  address: string | undefined,
  send: (attempt: Attempt) => Promise<Limited | null>,
  done: string,
) {
  const submission = parseFields(form, emailSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const { email } = submission.value;
  return answered(submission, intent, async () => {
    const limited = await send({ email, address });
    return limited ? limitedForm(submission, limited, intent) : doneForm(done, intent);
  });
}
