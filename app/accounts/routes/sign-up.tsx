/**
 * `/sign-up`: creates a site account. Whether an address already has one is revealed only to its
 * owner, by mail: the page responds identically, and equally fast, in both cases.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { FormReply } from '@gatehouse/accounts';
import { headersOfResponse } from '@gatehouse/frame/server';
import { checkAccount, readForm, signUp } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';
import { site, titleOf } from '~/site.config';
import { ActionForm } from '~/ui/action-form';
import { AccountPage, TextLink } from '../forms/account-page';
import { emailField, nameField, newPasswordField } from '../forms/fields';
import { signUpSchema } from '../forms/schemas.server';
import { afterSignIn, withReturn } from '../return-address';

export const handle = { access: 'none', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Sign up') }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const returnPath = afterSignIn(new URL(request.url).searchParams.get('return'));
  const account = await checkAccount({ request, context });
  return account.ok ? redirect(returnPath) : { returnPath };
}

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args);
  return form.submit(signUpSchema, async (person) => {
    const result = await signUp(person, args.context.clientAddress);
    if (!result.ok) {
      return result.reason === 'limited' ? result : { refused: failed, status: 503 };
    }
    if (result.isMailed) return { done: person.email };
    const returnPath = afterSignIn(form.text('return'));
    return redirect(withReturn('/sign-in', returnPath, { new: '1' }), 303);
  });
}

const failed = 'The account could not be created. Try again in a moment.';

export default function SignUp() {
  const { returnPath } = useLoaderData<typeof loader>();
  const address = useActionData<FormReply>()?.message;
  if (address) return checkMail(address, returnPath);
  return (
    <AccountPage
      title="Sign up"
      lead={`An account at ${site.name}, for your own data on this site.`}
      more={
        <p>
          Already have an account?{' '}
          <TextLink to={withReturn('/sign-in', returnPath)}>Sign in</TextLink>
        </p>
      }
    >
      <ActionForm
        submit={{ label: 'Sign up', busy: 'Signing up…' }}
        hidden={{ return: returnPath }}
        fields={[
          nameField,
          emailField,
          {
            ...newPasswordField,
            label: 'Password',
            hint: `${newPasswordField.hint} A few words are easy to remember.`,
          },
        ]}
      />
    </AccountPage>
  );
}

/** Not a component: the page around it stays, and moves the focus. */
function checkMail(email: string, returnPath: string) {
  return (
    <AccountPage
      title="Check your e-mail"
      more={
        <p>
          No e-mail? Check your spam folder, or{' '}
          <TextLink to="/verify-email">send it again</TextLink>.
        </p>
      }
    >
      <p className="wrap-anywhere">
        We have sent an e-mail to {email}. Open its link to confirm the address, then{' '}
        <TextLink to={withReturn('/sign-in', returnPath)}>sign in</TextLink>.
      </p>
    </AccountPage>
  );
}
