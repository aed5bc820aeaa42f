/** `/api/generations`: lists generations. POST with `?account=…` submits an order. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import {
  idempotencyKeyOf,
  jsonOf,
  refusal,
  requireSameAccount,
  workspaceOf,
} from '@gatehouse/platform/server';
import { generationKinds, statusFilters } from '~/platform/generations/generations';
import { orderSchema } from '~/platform/generations/order.server';

/** Unknown filter values are ignored. */
const pageSchema = z.object({
  cursor: z.string().optional().catch(undefined),
  kind: z.enum(generationKinds).optional().catch(undefined),
  status: z.enum(statusFilters).optional().catch(undefined),
});

export async function loader(args: LoaderFunctionArgs) {
  const workspace = workspaceOf(args.request.url);
  const { sdk } = await requirePlatformSdk(args, { workspace });
  const { searchParams } = new URL(args.request.url);
  const page = pageSchema.parse(Object.fromEntries(searchParams));
  return json(await sdk.generations.list(page));
}

export async function action(args: ActionFunctionArgs) {
  const { request } = args;
  const { user, sdk } = await requirePlatformSdk(args, { workspace: workspaceOf(request.url) });
  if (request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
  }
  // Sent from another account's page: 409.
  requireSameAccount(user, request);
  const idempotencyKey = idempotencyKeyOf(request);
  const order = orderSchema.safeParse(await jsonOf(request));
  if (!order.success) {
    const isWords = order.error.issues.every(({ path }) => path[0] === 'prompts');
    return refusal(422, isWords ? 'invalid_prompt' : 'invalid_order');
  }
  const items = await sdk.generations.submit(order.data, { idempotencyKey });
  return json({ items }, 201);
}
