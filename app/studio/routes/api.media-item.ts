/** `/api/media/:id`: DELETE removes one of the visitor's files. */
import type { ActionFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, done, guardFailureResponse, refusal } from '@gatehouse/platform/server';

export async function action({ request, params, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'DELETE') return notAllowed();
  return answer(async () => {
    await createPlatformSdk(guard).media.remove(params.id ?? '');
    return done();
  });
}

export const loader = notAllowed;

function notAllowed() {
  return refusal(405, 'method_not_allowed', { allow: 'DELETE' });
}
