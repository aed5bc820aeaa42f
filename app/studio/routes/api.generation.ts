/** `/api/generations/:id`: one of the visitor's pictures, with its progress. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, guardFailureResponse } from '~/platform/platform.server';
import { createPlatformSdk } from '~/platform/sdk/sdk.server';
import { answer, refusal } from '~/platform/sdk/api-answers.server';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  return answer(async () => createPlatformSdk(guard).getGeneration(params.id ?? ''));
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
