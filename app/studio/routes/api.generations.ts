/** `/api/generations`: lists the visitor's pictures, and starts one from `{ "prompt": "…" }`. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, guardFailureResponse } from '~/platform/platform.server';
import { createPlatformSdk } from '~/platform/sdk/sdk.server';
import { submissionSchema } from '~/platform/sdk/port.server';
import { answer, refusal } from '~/platform/sdk/api-answers.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  return answer(async () => createPlatformSdk(guard).listGenerations({ cursor }));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'POST')
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    return refusal(415, 'unsupported_media_type');
  }
  // No JSON text stands for `undefined`.
  const body: unknown = await request.json().catch(() => undefined);
  if (body === undefined) return refusal(400, 'malformed_json');
  const submission = submissionSchema.safeParse(body);
  if (!submission.success) return refusal(422, 'invalid_prompt');
  return answer(async () => createPlatformSdk(guard).submitGeneration(submission.data), 201);
}
