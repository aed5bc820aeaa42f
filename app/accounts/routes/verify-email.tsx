/**
 * `/verify-email`: the target of confirmation links. Requires a click, because mail scanners that
 * follow every link would otherwise confirm the address.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { FormReply } from '@gatehouse/accounts';
import { headersOfResponse } from '@gatehouse/frame/server';
import { confirmAddress, readForm, sendVerification } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { ActionForm } from '~/ui/action-form';
import { AccountPage, TextLink } from '../forms/account-page';
import { emailField } from '../forms/fields';
import { confirmSchema, emailSchema } from '../forms/schemas.server';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Confirm your address') }];

export function loader({ request }: LoaderFunctionArgs) {
  return { token: new URL(request.url).searchParams.get('token') ?? '' };
}

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args);
  if (form.intent === 'confirm') {
    return form.submit(confirmSchema, async ({ token }) =>
      (await confirmAddress(token, args.request))
        ? { done: 'Your e-mail address has been confirmed.' }
        : { refused: stale },
    );
  }
  const address = args.context.clientAddress;
  return form.submit(
    emailSchema,
    async ({ email }) => (await sendVerification({ email, address })) ?? { done: sent },
  );
}

// Reveals no account, nor does the time it takes: mail is sent in the background.
const sent = 'If an account is waiting for confirmation, we have sent it an e-mail.';
const stale = 'This link has expired or is invalid. Request a new one.';

export default function VerifyEmail() {
  const { token } = useLoaderData<typeof loader>();
  const result = useActionData<FormReply>();
  if (result?.intent === 'confirm' && result.message) {
    return (
      <AccountPage title="Confirmed">
        <p>
          {result.message} You can <TextLink to="/sign-in">sign in</TextLink> with it.
        </p>
      </AccountPage>
    );
  }
  if (token) {
    return (
      <AccountPage
        title="Confirm your address"
        lead="Confirm that this address is yours."
        more={<TextLink to="/verify-email">Request a new link</TextLink>}
      >
        <ActionForm
          intent="confirm"
          submit={{ label: 'Confirm', busy: 'Confirming…' }}
          hidden={{ token }}
          fields={[]}
        />
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title="Confirm your address"
      lead="Enter the address that you signed up with, and we will send the link again."
    >
      <ActionForm
        intent="send"
        submit={{ label: 'Send link', busy: 'Sending…' }}
        fields={[{ ...emailField, autoComplete: 'email' }]}
      />
    </AccountPage>
  );
}
