/**
 * `/verify-email`: the target of confirmation links. Requires a click, because mail scanners that
 * follow every link would otherwise confirm the address.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  headersOfResponse,
  onlyPost,
  parseFields,
  readFields,
  textOf,
} from '@gatehouse/frame/server';
import { confirmAddress, sendVerification } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { emailField } from '../forms/fields';
import { replyTo, doneForm, refusedForm } from '../forms/form-replies.server';
import { confirmSchema } from '../forms/schemas.server';
import { sendLink } from '../forms/send-link.server';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Confirm your address') }];

export function loader({ request }: LoaderFunctionArgs) {
  return { token: new URL(request.url).searchParams.get('token') ?? '' };
}

export async function action({ request, context }: ActionFunctionArgs) {
  onlyPost(request);
  const form = await readFields(request);
  if (textOf(form, 'intent') !== 'confirm') {
    return sendLink(
      form,
      context.clientAddress,
      sendVerification,
      'If an account is waiting for confirmation, we have sent it an e-mail.',
    );
  }
  const submission = parseFields(form, confirmSchema);
  if (submission.status !== 'success') return refusedForm(submission, stale, { intent: 'confirm' });
  const { token } = submission.value;
  return replyTo(submission, 'confirm', async () =>
    (await confirmAddress(token, request))
      ? doneForm('Your e-mail address has been confirmed.', 'confirm')
      : refusedForm(submission, stale, { intent: 'confirm' }),
  );
}

const stale = 'This link has expired or is invalid. Request a new one.';

export default function VerifyEmail() {
  const { token } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result?.intent === 'confirm' && result.message) {
    return (
      <AccountPage title="Confirmed">
        <p>
          {result.message} You can{' '}
          <Link to="/sign-in" className={linkLook}>
            sign in
          </Link>{' '}
          with it.
        </p>
      </AccountPage>
    );
  }
  if (token) {
    return (
      <AccountPage
        title="Confirm your address"
        lead="Confirm that this address is yours."
        more={
          <p>
            <Link to="/verify-email" className={linkLook}>
              Request a new link
            </Link>
          </p>
        }
      >
        <AccountForm
          intent="confirm"
          submit={{ label: 'Confirm', busy: 'Confirming…' }}
          result={result}
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
      <AccountForm
        intent="send"
        submit={{ label: 'Send link', busy: 'Sending…' }}
        result={result}
        fields={[{ ...emailField, autoComplete: 'email' }]}
      />
    </AccountPage>
  );
}
