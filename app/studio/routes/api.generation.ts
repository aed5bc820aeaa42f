/** `/api/generations/:id`: a generation, with its progress. DELETE removes it from the list. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import { done, refusal } from '@gatehouse/platform/server';

export async function loader(args: LoaderFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  return json(await sdk.generations.get(args.params.id ?? ''));
}

export async function action(args: ActionFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  if (args.request.method !== 'DELETE') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, DELETE' });
  }
  await sdk.generations.remove(args.params.id ?? '');
  return done();
}
