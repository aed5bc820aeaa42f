/** `/sign-out`: signs out of the site account, and of no other. */
import type { ActionFunctionArgs, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { log } from '@gatehouse/server/log';
import { headersOfResponse, onlyPost } from '@gatehouse/frame/server';
import { endSessionOf, expiredSessionCookie } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { whileAvailable } from '@gatehouse/store';
import { AccountPage } from '../forms/account-page';
import { SignOutForm } from '../sign-out-form';

export const handle = { access: 'none', body: 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Sign out') }];

export function action({ request, context }: ActionFunctionArgs) {
  onlyPost(request);
  const cookie = { 'set-cookie': expiredSessionCookie() };
  return whileAvailable(
    async () => {
      await endSessionOf(request);
      return redirect('/', { status: 303, headers: cookie });
    },
    ({ status, headers }) => {
      log.warn({ requestId: context.requestId }, 'a session could not be ended');
      return data({ message: notEnded }, { status, headers: { ...headers, ...cookie } });
    },
  );
}

const notEnded =
  'You are signed out in this browser, but the session could not be ended on the server. Sign in again later, and choose “End all other sessions” in the settings.';

export default function SignOut() {
  const result = useActionData<typeof action>();
  return (
    <AccountPage title={result ? 'Signed out' : 'Sign out'}>
      {result ? <p role="alert">{result.message}</p> : <SignOutForm size="medium" />}
    </AccountPage>
  );
}
