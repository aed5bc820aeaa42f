/**
 * `/api/generations/events`: changes to pending generations. 204 if there are none, or if the
 * visitor has too many streams open, upon which a browser stops reconnecting.
 */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { holdEventStream, refusal } from '@gatehouse/platform/server';
import { checkPlatformUser, createPlatformSdk, requirePlatformUser } from '~/platform.server';
import { liveEvents } from '../live/live-events.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const workspace = new URL(request.url).searchParams.get('workspace') ?? undefined;
  const sdk = createPlatformSdk(guard, { workspace });
  const { items: pending } = await sdk.generations.list({ status: 'pending' });
  const headers = { 'cache-control': 'private, no-store, no-transform' };
  const isHead = request.method === 'HEAD';
  const release = pending.length === 0 ? null : holdEventStream(guard);
  if (!release) return new Response(null, { status: 204, headers });
  if (isHead) release();
  const { signal } = request;
  const { requestId, anonymous } = context;
  // The guard is memoised by context, and a stream outlives its result: so it needs a new
  // context.
  const checkAgain = () =>
    checkPlatformUser({
      signal,
      ...(requestId && { requestId }),
      ...(anonymous && { anonymous }),
    });
  const body = isHead ? null : liveEvents({ sdk, pending, checkAgain, signal, onEnd: release });
  return new Response(body, {
    headers: { ...headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
