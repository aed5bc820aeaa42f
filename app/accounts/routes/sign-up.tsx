/**
 * `/sign-up`: creates a site account. Whether an address already has one is revealed only to its
 * owner, by mail: the page responds identically, and equally fast, in both cases.
 */
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
import { checkAccount, signUp } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';
import { site, titleOf } from '~/site.config';
import { AccountForm } from '../forms/account-form';
import { AccountPage, linkLook } from '../forms/account-page';
import { replyTo, doneForm, limitedForm, refusedForm } from '../forms/form-replies.server';
import { emailField, nameMaxLength, newPasswordField } from '../forms/fields';
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

export async function action({ request, context }: ActionFunctionArgs) {
  onlyPost(request);
  const form = await readFields(request);
  const submission = parseFields(form, signUpSchema);
  if (submission.status !== 'success') return refusedForm(submission, undefined, { intent });
  const person = submission.value;
  return replyTo(submission, intent, async () => {
    const result = await signUp(person, context.clientAddress);
    if (!result.ok) {
      return result.reason === 'limited'
        ? limitedForm(submission, result, intent)
        : refusedForm(submission, failed, { intent, status: 503 });
    }
    if (result.isMailed) return doneForm(person.email, intent);
    const returnPath = afterSignIn(textOf(form, 'return'));
    return redirect(withReturn('/sign-in', returnPath, { new: '1' }), 303);
  });
}

const intent = 'sign-up';
const failed = 'The account could not be created. Try again in a moment.';

export default function SignUp() {
  const { returnPath } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (result?.message) return checkMail(result.message, returnPath);
  return (
    <AccountPage
      title="Sign up"
      lead={`An account at ${site.name}, for your own data on this site.`}
      more={
        <p>
          Already have an account?{' '}
          <Link to={withReturn('/sign-in', returnPath)} className={linkLook}>
            Sign in
          </Link>
        </p>
      }
    >
      <AccountForm
        intent={intent}
        submit={{ label: 'Sign up', busy: 'Signing up…' }}
        result={result}
        hidden={{ return: returnPath }}
        fields={[
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            autoComplete: 'name',
            maxLength: nameMaxLength,
          },
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
          <Link to="/verify-email" className={linkLook}>
            send it again
          </Link>
          .
        </p>
      }
    >
      <p className="wrap-anywhere">
        We have sent an e-mail to {email}. Open its link to confirm the address, then{' '}
        <Link to={withReturn('/sign-in', returnPath)} className={linkLook}>
          sign in
        </Link>
        .
      </p>
    </AccountPage>
  );
}
