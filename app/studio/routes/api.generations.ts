/** `/api/generations`: lists generations, and submits an order. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import {
  answer,
  guardFailureResponse,
  jsonOf,
  refusal,
  workspaceOf,
} from '@gatehouse/platform/server';
import { generationKinds, statusFilters } from '~/platform/generations/generations';
import { idempotencyKeySchema, orderSchema } from '~/platform/generations/order.server';

/** Unknown filter values are ignored. */
const pageSchema = z.object({
  cursor: z.string().optional().catch(undefined),
  kind: z.enum(generationKinds).optional().catch(undefined),
  status: z.enum(statusFilters).optional().catch(undefined),
});

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const { searchParams } = new URL(request.url);
  const workspace = workspaceOf(request);
  const page = pageSchema.parse(Object.fromEntries(searchParams));
  return answer(async () => createPlatformSdk(guard, { workspace }).generations.list(page));
}

export async function action({ request, context }: ActionFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
  }
  const key = idempotencyKeySchema.safeParse(request.headers.get('idempotency-key'));
  if (!key.success) return refusal(400, 'idempotency_key_required');
  return answer(async () => {
    const order = orderSchema.safeParse(await jsonOf(request));
    if (!order.success) {
      const isWords = order.error.issues.every(({ path }) => path[0] === 'prompts');
      return refusal(422, isWords ? 'invalid_prompt' : 'invalid_order');
    }
    const workspace = workspaceOf(request);
    const { generations } = createPlatformSdk(guard, { workspace });
    return { items: await generations.submit(order.data, { idempotencyKey: key.data }) };
  }, 201);
}
