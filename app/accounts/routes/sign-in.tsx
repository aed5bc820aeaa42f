/** `/sign-in`: sign-in to a site account. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { isAPIError } from 'better-auth/api';
import {
  headersOfAnswer,
  onlyPost,
  parseFields,
  readFields,
  textOf,
} from '@gatehouse/frame/server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { checkAccount } from '@gatehouse/accounts/guard';
import { auth, authHeaders } from '@gatehouse/accounts/auth';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { answered, limitedForm, refusedForm } from '../forms/form-replies.server';
import { emailField, passwordField } from '../forms/fields';
import { signInSchema } from '../forms/schemas.server';
import { countAttempt, forgiveAttempts } from '@gatehouse/accounts/limits/limits';
import { sendVerification } from '@gatehouse/accounts/mail/verification';
import { hashOtherForms } from '@gatehouse/accounts/password/hashing';
import { findPasswordHash } from '@gatehouse/accounts/password/stored-password';
import { afterSignIn, withReturn } from '../return-address';
import { deleteExpiredSessions } from '@gatehouse/accounts/session/expired-sessions';
import { endSessionOf, endSessionWith, sessionCookieIn } from '@gatehouse/accounts/session/sessions';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfAnswer;

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
  const { email, password } = submission.value;
  const attempt = { email, address: context.clientAddress };

  return answered(submission, intent, async () => {
    const limited = await countAttempt('password', attempt);
    if (limited) return limitedForm(submission, limited, intent);
    try {
      const headers = authHeaders(request);
      const body = { email, password };
      const known = await findPasswordHash(email);
      if (known === null) await hashOtherForms(password);
      const signedIn = await auth().api.signInEmail({ body, headers, returnHeaders: true });
      // The password was changed while this one was verified, which ended all sessions but this.
      if ((await findPasswordHash(email)) !== known) {
        await endSessionWith(signedIn.response.token);
        return refusedForm(submission, wrong, { intent });
      }
      await endSessionOf(request);
      await deleteExpiredSessions();
      await forgiveAttempts('password', attempt);
      return redirect(afterSignIn(textOf(form, 'return')), {
        status: 303,
        headers: sessionCookieIn(signedIn.headers),
      });
    } catch (error) {
      if (!isAPIError(error)) throw error;
      if (error.body?.code !== 'EMAIL_NOT_VERIFIED')
        return refusedForm(submission, wrong, { intent });
      // The password was right, so it may be revealed that the account exists.
      await forgiveAttempts('password', attempt);
      const wasSent = (await sendVerification(attempt)) === null;
      return refusedForm(submission, wasSent ? unconfirmed : unconfirmedNotSent, {
        intent,
        status: 403,
      });
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
  const answer = useActionData<typeof action>();
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
        submit="Sign in"
        busy="Signing in…"
        answer={answer}
        hidden={{ return: returnPath }}
        fields={[emailField, { ...passwordField, label: 'Password' }]}
      />
    </AccountPage>
  );
}
