/** `/sign-in`: sign-in to a site account. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import {
  headersOfResponse,
  onlyPost,
  parseFields,
  readFields,
  textOf,
} from '@gatehouse/frame/server';
import { checkAccount, signIn } from '~/accounts.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { replyTo, limitedForm, refusedForm } from '../forms/form-replies.server';
import { emailField, passwordField } from '../forms/fields';
import { signInSchema } from '../forms/schemas.server';
import { afterSignIn, withReturn } from '../return-address';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Sign in') }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const returnPath = afterSignIn(searchParams.get('return'));
  const account = await checkAccount({ request, context });
  if (account.ok) return redirect(returnPath);
  return {
    returnPath,
    sendsMail: siteEnv().smtpUrl !== null,
    isNew: searchParams.get('new') === '1',
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  onlyPost(request);
  const form = await readFields(request);
  const submission = parseFields(form, signInSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const credentials = submission.value;
  return replyTo(submission, intent, async () => {
    const result = await signIn(request, credentials, context.clientAddress);
    if (result.ok) {
      const returnPath = afterSignIn(textOf(form, 'return'));
      return redirect(returnPath, { status: 303, headers: result.headers });
    }
    switch (result.reason) {
      case 'limited':
        return limitedForm(submission, result, intent);
      case 'wrong':
        return refusedForm(submission, wrong, { intent });
      case 'unconfirmed': {
        const words = result.isMailed ? unconfirmed : unconfirmedNotSent;
        return refusedForm(submission, words, { intent, status: 403 });
      }
    }
  });
}

const intent = 'sign-in';
const wrong = 'Wrong e-mail address or password.';
const unconfirmed =
  'Confirm your e-mail address first: open the link that we have just sent you, then sign in here.';
const unconfirmedNotSent =
  'Confirm your e-mail address first: open the newest link in your mailbox, then sign in here. We have sent several, and can send another in an hour.';

export default function SignIn() {
  const { returnPath, sendsMail, isNew } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <AccountPage
      title="Sign in"
      lead={isNew ? 'Sign in with your new address and password.' : undefined}
      more={
        <>
          <p>
            No account yet?{' '}
            <Link to={withReturn('/sign-up', returnPath)} className={linkLook}>
              Sign up
            </Link>
          </p>
          {sendsMail && (
            <p>
              <Link to={withReturn('/reset-password', returnPath)} className={linkLook}>
                Forgot your password?
              </Link>
            </p>
          )}
        </>
      }
    >
      <AccountForm
        intent={intent}
        submit={{ label: 'Sign in', busy: 'Signing in…' }}
        result={result}
        hidden={{ return: returnPath }}
        fields={[emailField, { ...passwordField, label: 'Password' }]}
      />
    </AccountPage>
  );
}
