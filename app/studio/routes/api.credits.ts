/** `/api/credits`: the visitor's credit history. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, guardFailureResponse, refusal, workspaceOf } from '@gatehouse/platform/server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  const workspace = workspaceOf(request);
  return answer(async () => createPlatformSdk(guard, { workspace }).credits.history({ cursor }));
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
