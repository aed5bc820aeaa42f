/** `/reset-password`: sends a reset link, and with its token sets a new password. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { FormReply } from '@gatehouse/accounts';
import { headersOfResponse } from '@gatehouse/frame/server';
import { readForm, resetPassword, sendReset } from '~/accounts.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { ActionForm } from '~/ui/action-form';
import { AccountPage, TextLink } from '../forms/account-page';
import { emailField, newPasswordField } from '../forms/fields';
import { emailSchema, resetSchema } from '../forms/schemas.server';
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

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args);
  if (form.intent === 'reset') {
    return form.submit(resetSchema, async ({ token, password }) =>
      (await resetPassword(token, password))
        ? { done: 'Your password has been changed.' }
        : { refused: stale },
    );
  }
  const address = args.context.clientAddress;
  return form.submit(
    emailSchema,
    async ({ email }) => (await sendReset({ email, address })) ?? { done: sent },
  );
}

// Reveals no account, nor does the time it takes: mail is sent in the background.
const sent = 'If the account exists, we have sent it an e-mail.';
const stale = 'This link has expired or was already used. Request a new one.';

export default function ResetPassword() {
  const { token, returnPath, sendsMail } = useLoaderData<typeof loader>();
  const result = useActionData<FormReply>();
  if (result?.intent === 'reset' && result.message) {
    return (
      <AccountPage title="Password changed">
        <p>
          {result.message} Every session of the account was ended.{' '}
          <TextLink to="/sign-in">Sign in</TextLink> with the new password.
        </p>
      </AccountPage>
    );
  }
  if (token) {
    return (
      <AccountPage
        title="Choose a new password"
        lead="This ends every session of the account."
        more={<TextLink to="/reset-password">Request a new link</TextLink>}
      >
        <ActionForm
          intent="reset"
          submit={{ label: 'Set password', busy: 'Saving…' }}
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
      more={<TextLink to={withReturn('/sign-in', returnPath)}>Back to sign-in</TextLink>}
    >
      <ActionForm
        intent="send"
        submit={{ label: 'Send link', busy: 'Sending…' }}
        fields={[emailField]}
      />
    </AccountPage>
  );
}
