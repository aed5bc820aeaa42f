/** `/api/generations/estimate`: what an order would cost, from `?kind=&aspectRatio=&count=&references=`. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import { refusal, workspaceOf } from '@gatehouse/platform/server';
import { orderSizeSchema } from '~/platform/generations/order.server';

export async function loader(args: LoaderFunctionArgs) {
  const workspace = workspaceOf(args.request.url);
  const { sdk } = await requirePlatformSdk(args, { workspace });
  const query = Object.fromEntries(new URL(args.request.url).searchParams);
  const size = orderSizeSchema.safeParse(query);
  if (!size.success) return refusal(422, 'invalid_order');
  return json(await sdk.generations.estimate(size.data));
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
