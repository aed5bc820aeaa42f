/** `/api/account-export`: everything the site stores about the signed-in account. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { accountFailureResponse } from '@gatehouse/accounts';
import { refusal } from '@gatehouse/frame/server';
import { checkAccount, exportAccount } from '~/accounts.server';
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'account' } satisfies RouteHandle;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const result = await checkAccount({ request, context });
  if (!result.ok) return accountFailureResponse(result);
  return new Response(await exportAccount(result.account), {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
