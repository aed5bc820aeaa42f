/** `/reset-password`: sends a reset link, and with its token sets a new password. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  headersOfResponse,
  onlyPost,
  parseFields,
  readFields,
  textOf,
} from '@gatehouse/frame/server';
import { resetPassword, sendReset } from '~/accounts.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { emailField, newPasswordField } from '../forms/fields';
import { replyTo, doneForm, refusedForm } from '../forms/form-replies.server';
import { resetSchema } from '../forms/schemas.server';
import { sendLink } from '../forms/send-link.server';
import { afterSignIn, withReturn } from '../return-address';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('New password') }];

export function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  return {
    token: searchParams.get('token') ?? '',
    returnPath: afterSignIn(searchParams.get('return')),
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
      'If the account exists, we have sent it an e-mail.',
    );
  }
  const submission = parseFields(form, resetSchema);
  if (submission.status !== 'success') {
    const isStale = submission.error?.['token'] !== undefined;
    return refusedForm(submission, isStale ? stale : undefined, { intent: 'reset' });
  }
  const { token, password } = submission.value;
  return replyTo(submission, 'reset', async () =>
    (await resetPassword(token, password))
      ? doneForm('Your password has been changed.', 'reset')
      : refusedForm(submission, stale, { intent: 'reset' }),
  );
}

const stale = 'This link has expired or was already used. Request a new one.';

export default function ResetPassword() {
  const { token, returnPath, sendsMail } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result?.intent === 'reset' && result.message) {
    return (
      <AccountPage title="Password changed">
        <p>
          {result.message} Every session of the account was ended.{' '}
          <Link to="/sign-in" className={linkLook}>
            Sign in
          </Link>{' '}
          with the new password.
        </p>
      </AccountPage>
    );
  }
  if (token) {
    return (
      <AccountPage
        title="Choose a new password"
        lead="This ends every session of the account."
        more={
          <p>
            <Link to="/reset-password" className={linkLook}>
              Request a new link
            </Link>
          </p>
        }
      >
        <AccountForm
          intent="reset"
          submit={{ label: 'Set password', busy: 'Saving…' }}
          result={result}
          hidden={{ token }}
          fields={[newPasswordField]}
        />
      </AccountPage>
    );
  }
  if (!sendsMail) {
    return (
      <AccountPage title="Forgot your password?">
        <p>This site does not send e-mail, so it cannot reset a forgotten password.</p>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title="Forgot your password?"
      lead="Enter your account’s e-mail address, and we will send you a link."
      more={
        <p>
          <Link to={withReturn('/sign-in', returnPath)} className={linkLook}>
            Back to sign-in
          </Link>
        </p>
      }
    >
      <AccountForm
        intent="send"
        submit={{ label: 'Send link', busy: 'Sending…' }}
        result={result}
        fields={[emailField]}
      />
    </AccountPage>
  );
}
