/** `/api/credits`: the visitor's credit history. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import { refusal, workspaceOf } from '@gatehouse/platform/server';

export async function loader(args: LoaderFunctionArgs) {
  const workspace = workspaceOf(args.request.url);
  const { sdk } = await requirePlatformSdk(args, { workspace });
  const cursor = new URL(args.request.url).searchParams.get('cursor') ?? undefined;
  return json(await sdk.credits.history({ cursor }));
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
