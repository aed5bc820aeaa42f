/** `/sign-in`: sign-in to a site account. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { headersOfResponse } from '@gatehouse/frame/server';
import { checkAccount, readForm, signIn } from '~/accounts.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { ActionForm } from '~/ui/action-form';
import { AccountPage, TextLink } from '../forms/account-page';
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

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args);
  return form.submit(signInSchema, async (credentials) => {
    const result = await signIn(args.request, credentials, args.context.clientAddress);
    if (result.ok) {
      const returnPath = afterSignIn(form.text('return'));
      return redirect(returnPath, { status: 303, headers: result.headers });
    }
    switch (result.reason) {
      case 'limited':
        return result;
      case 'wrong':
        return { refused: wrong };
      case 'unconfirmed':
        return { refused: result.isMailed ? unconfirmed : unconfirmedNotSent, status: 403 };
    }
  });
}

const wrong = 'Wrong e-mail address or password.';
const unconfirmed =
  'Confirm your e-mail address first: open the link that we have just sent you, then sign in here.';
const unconfirmedNotSent =
  'Confirm your e-mail address first: open the newest link in your mailbox, then sign in here. We have sent several, and can send another in an hour.';

export default function SignIn() {
  const { returnPath, sendsMail, isNew } = useLoaderData<typeof loader>();
  return (
    <AccountPage
      title="Sign in"
      lead={isNew ? 'Sign in with your new address and password.' : undefined}
      more={
        <>
          <p>
            No account yet? <TextLink to={withReturn('/sign-up', returnPath)}>Sign up</TextLink>
          </p>
          {sendsMail && (
            <TextLink to={withReturn('/reset-password', returnPath)}>
              Forgot your password?
            </TextLink>
          )}
        </>
      }
    >
      <ActionForm
        submit={{ label: 'Sign in', busy: 'Signing in…' }}
        hidden={{ return: returnPath }}
        fields={[emailField, { ...passwordField, label: 'Password' }]}
      />
    </AccountPage>
  );
}
