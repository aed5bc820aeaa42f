/** `/api/media`: uploads a file, sent as the whole request body. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, guardFailureResponse, refusal, workspaceOf } from '@gatehouse/platform/server';
import { toSafeProfile } from '@gatehouse/platform';
import { uploadMaxBytes } from '~/platform/media/media';
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'platform', body: uploadMaxBytes } satisfies RouteHandle;

export async function action({ request, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'POST') return notAllowed();
  // The file was chosen by a different account, which has since signed out.
  const account = new URL(request.url).searchParams.get('account');
  if (account !== null && account !== toSafeProfile(guard.user).key) {
    return refusal(409, 'account_changed');
  }
  const file = request.body;
  if (!file) return refusal(415, 'unsupported_media_type');
  const length = request.headers.get('content-length');
  const bytes = length === null ? undefined : Number(length);
  const workspace = workspaceOf(request);
  return answer(
    async () => createPlatformSdk(guard, { workspace }).media.upload(file, { bytes }),
    201,
  );
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'POST' });
}
