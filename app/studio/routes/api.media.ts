/** `/api/media?account=…`: uploads a file, sent as the whole request body. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { json } from '@gatehouse/frame/server';
import { requirePlatformSdk } from '~/platform.server';
import { refusal, requireSameAccount, workspaceOf } from '@gatehouse/platform/server';
import { uploadMaxBytes } from '~/platform/media/media';
import type { RouteHandle } from '~/route-handle';

export const handle = { access: 'platform', body: uploadMaxBytes } satisfies RouteHandle;

export async function action(args: ActionFunctionArgs) {
  const { request } = args;
  const { user, sdk } = await requirePlatformSdk(args, { workspace: workspaceOf(request.url) });
  if (request.method !== 'POST') return notAllowed();
  // The file was chosen by a different account, which has since signed out.
  requireSameAccount(user, request);
  const file = request.body;
  if (!file) return refusal(415, 'unsupported_media_type');
  const length = request.headers.get('content-length');
  const bytes = length === null ? undefined : Number(length);
  return json(await sdk.media.upload(file, { bytes }), 201);
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'POST' });
}
