/** `/reset-password`: has a link sent, and with the link sets a new password. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { isAPIError } from 'better-auth/api';
import { headersOfAnswer, onlyPost, parseFields, readFields, textOf } from '~/frame/forms.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { auth } from '../auth.server';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { emailField, newPasswordField } from '../forms/fields';
import { answered, doneForm, refusedForm } from '../forms/form-replies.server';
import { resetSchema } from '../forms/schemas.server';
import { sendLink } from '../forms/send-link.server';
import { sendReset } from '../mail/verification.server';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfAnswer;

export const meta: MetaFunction = () => [{ title: titleOf('New password') }];

export function loader({ request }: LoaderFunctionArgs) {
  return {
    token: new URL(request.url).searchParams.get('token') ?? '',
    sendsMail: siteEnv().smtpUrl !== null,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  onlyPost(request);
  const form = await readFields(request);
  if (textOf(form, 'intent') !== 'reset') {
    return sendLink(
      form,
      context.clientAddress,
      sendReset,
      'If there is such an account, a mail is on its way.',
    );
  }
  const submission = parseFields(form, resetSchema);
  if (submission.status !== 'success')
    return refusedForm(submission, undefined, { intent: 'reset' });
  const { token, password } = submission.value;
  return answered(submission, 'reset', async () => {
    try {
      await auth().api.resetPassword({ body: { token, newPassword: password } });
      return doneForm('Your password is changed.', 'reset');
    } catch (error) {
      if (!isAPIError(error)) throw error;
      return refusedForm(submission, stale, { intent: 'reset' });
    }
  });
}

const stale = 'This link is too old, or was used already. Have another one sent.';

export default function ResetPassword() {
  const { token, sendsMail } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (answer?.intent === 'reset' && answer.message) {
    return (
      <AccountPage title="Password changed">
        <p role="status">
          {answer.message} Every session of the account has ended.{' '}
          <Link to="/sign-in" className={linkLook}>
            Sign in
          </Link>{' '}
          with the new one.
        </p>
      </AccountPage>
    );
  }
  if (token) {
    return (
      <AccountPage
        title="Choose a new password"
        lead="Every session of the account ends with it."
        more={
          <p>
            <Link to="/reset-password" className={linkLook}>
              Have another link sent
            </Link>
          </p>
        }
      >
        <AccountForm
          intent="reset"
          submit="Set the password"
          busy="Setting…"
          answer={answer}
          hidden={{ token }}
          fields={[newPasswordField]}
        />
      </AccountPage>
    );
  }
  if (!sendsMail) {
    return (
      <AccountPage title="Forgotten password">
        <p>This site sends no mail, so it cannot help with a forgotten password by itself.</p>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title="Forgotten password"
      lead="Enter the address of your account, and a link is sent there."
      more={
        <p>
          <Link to="/sign-in" className={linkLook}>
            Back to sign-in
          </Link>
        </p>
      }
    >
      <AccountForm
        intent="send"
        submit="Send the link"
        busy="Sending…"
        answer={answer}
        fields={[emailField]}
      />
    </AccountPage>
  );
}
