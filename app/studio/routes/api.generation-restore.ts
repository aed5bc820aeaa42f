/** `/api/generations/:id/restore`: restores a generation that was removed from the list. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, done, guardFailureResponse, refusal } from '@gatehouse/platform/server';

export async function action({ request, params, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'POST') return notAllowed();
  // Without a body, the page only reloads its feed.
  return answer(
    async () => (await createPlatformSdk(guard).generations.restore(params.id ?? '')) ?? done(),
  );
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'POST' });
}
