/** `/sign-out`: signs out of the site account only. The platform's session is unaffected. */
import type { ActionFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { onlyPost } from '~/frame/forms.server';
import type { RouteHandle } from '~/route-handle';
import { titleOf } from '~/site.config';
import { AccountPage } from '../forms/account-page';
import { expiredSessionCookie } from '../session/session-cookie.server';
import { endSessionOf } from '../session/sessions.server';
import { SignOutForm } from '../sign-out-form';

export const handle = { access: 'none', body: 1024 } satisfies RouteHandle;

export const meta: MetaFunction = () => [{ title: titleOf('Sign out') }];

export async function action({ request }: ActionFunctionArgs) {
  onlyPost(request);
  await endSessionOf(request);
  return redirect('/', { status: 303, headers: { 'set-cookie': expiredSessionCookie() } });
}

export default function SignOut() {
  return (
    <AccountPage title="Sign out">
      <SignOutForm size="medium" />
    </AccountPage>
  );
}
