/** `/api/media/:id`: DELETE removes one of the visitor's files. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { done, refusal } from '@gatehouse/platform/server';

export async function action(args: ActionFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  if (args.request.method !== 'DELETE') return notAllowed();
  await sdk.media.remove(args.params.id ?? '');
  return done();
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'DELETE' });
}
