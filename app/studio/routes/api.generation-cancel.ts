/** `/api/generations/:id/cancel`: cancels a pending generation and refunds its credits. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import { done, refusal } from '@gatehouse/platform/server';

export async function action(args: ActionFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  if (args.request.method !== 'POST') return notAllowed();
  const changed = await sdk.generations.cancel(args.params.id ?? '');
  // Without a body, the page only reloads its feed.
  return changed ? json(changed) : done();
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'POST' });
}
