/** `/api/generations/estimate`: what an order would cost, from `?kind=&aspectRatio=&count=&references=`. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { answer, guardFailureResponse, refusal, workspaceOf } from '@gatehouse/platform/server';
import { orderSizeSchema } from '~/platform/generations/order.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const query = Object.fromEntries(new URL(request.url).searchParams);
  const size = orderSizeSchema.safeParse(query);
  if (!size.success) return refusal(422, 'invalid_order');
  const workspace = workspaceOf(request);
  return answer(async () =>
    createPlatformSdk(guard, { workspace }).generations.estimate(size.data),
  );
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
