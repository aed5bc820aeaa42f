/**
 * `/api/workspaces`: the visitor's workspaces. POST `{ "id": "…" }` chooses one, which the platform
 * stores.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { atLeast, atMost } from '@gatehouse/frame';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, done, guardFailureResponse, jsonOf, refusal } from '@gatehouse/platform/server';

const choiceSchema = z.object({ id: z.string().check(atLeast(1), atMost(200)) });

export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  return answer(async () => createPlatformSdk(guard).workspaces.list());
}

export async function action({ request, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
  }
  return answer(async () => {
    const choice = choiceSchema.safeParse(await jsonOf(request));
    if (!choice.success) return refusal(422, 'invalid_body');
    await createPlatformSdk(guard).workspaces.choose(choice.data.id);
    return done();
  });
}
