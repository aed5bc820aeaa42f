/**
 * `/api/workspaces`: the visitor's workspaces. POST `{ "id": "…" }` chooses one, which the platform
 * stores.
 */
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { atLeast, atMost } from '@gatehouse/frame';
import { requirePlatformSdk } from '~/platform.server';
import { json } from '@gatehouse/frame/server';
import { done, jsonOf, refusal } from '@gatehouse/platform/server';

const choiceSchema = z.object({ id: z.string().check(atLeast(1), atMost(200)) });

export async function loader(args: LoaderFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  return json(await sdk.workspaces.list());
}

export async function action(args: ActionFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  if (args.request.method !== 'POST') {
    return refusal(405, 'method_not_allowed', { allow: 'GET, HEAD, POST' });
  }
  const choice = choiceSchema.safeParse(await jsonOf(args.request));
  if (!choice.success) return refusal(422, 'invalid_body');
  await sdk.workspaces.choose(choice.data.id);
  return done();
}
