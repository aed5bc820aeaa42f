/** `/api/generations/:id`: a generation, with its progress. DELETE removes it from the list. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, done, guardFailureResponse, refusal } from '@gatehouse/platform/server';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  return answer(async () => createPlatformSdk(guard).generations.get(params.id ?? ''));
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'DELETE') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, DELETE' });
  }
  return answer(async () => {
    await createPlatformSdk(guard).generations.remove(params.id ?? '');
    return done();
  });
}
