/** The relay behind `/api/user` (W03, W04, W32): the platform's response, unchanged. */
import { siteEnv } from '~/env.server';
import { demoVisitorOf } from './demo-visitor';
import { demoUnknown } from './guard';
import {
  callUpstream,
  UpstreamFailure,
  upstreamUnavailable,
  type StopSignal,
} from './upstream/call';

export interface RelayedUser {
  status: number;
  /** Lower-case names. `content-type` is the only header of the platform's that is relayed. */
  headers: Record<string, string>;
  /** Null for a status without a body. */
  body: Buffer<ArrayBuffer> | null;
}

/** Statuses without a body in HTTP. */
const bodiless = new Set([204, 205, 304]);

/**
 * Asks the platform who the visitor is. A failing platform is a response, never an exception: 502
 * if it is unreachable, 504 if it is too slow, each with a JSON body.
 */
export async function relayPlatformUser(
  signal?: StopSignal & { cookie?: string },
  requestId?: string,
): Promise<RelayedUser> {
  if (siteEnv().offlineDemo) return relayDemoVisitor(signal?.cookie);
  try {
    const answer = await callUpstream({ path: '/user', signal, requestId });
    const body = bodiless.has(answer.status) ? null : answer.body;
    return relayed(answer.status, answer.contentType ?? 'application/json', body);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return relayed(error.status, 'application/json', json(upstreamUnavailable));
  }
}

async function relayDemoVisitor(cookie = ''): Promise<RelayedUser> {
  const visitor = await demoVisitorOf({ cookie, kind: 'resource' });
  const body = json(visitor?.profile ?? demoUnknown);
  return relayed(visitor ? 200 : 401, 'application/json', body);
}

/** The relay as a route's response. `GET` and `HEAD` only. */
export async function userRelayResponse(request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return Response.json(
      { error: 'method_not_allowed' },
      { status: 405, headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' } },
    );
  }
  const { signal } = request;
  const cookie = request.headers.get('cookie') ?? '';
  const visitor = Object.assign(signal, { cookie });
  const { status, headers, body } = await relayPlatformUser(visitor);
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

function relayed(status: number, contentType: string, body: RelayedUser['body']): RelayedUser {
  return { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

function json(value: unknown): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(value));
}
