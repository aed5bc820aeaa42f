/** The relay behind `/api/user` (W03, W04, W32): the platform's answer, unchanged. */
import { siteEnv } from '~/server/env.server';
import { demoUser, parseJson } from './platform.server';
import { profileKeyHeader, toSafeProfile } from './profile';
import {
  callUpstream,
  UpstreamFailure,
  upstreamUnavailable,
  type StopSignal,
} from './upstream.server';

export interface RelayedUser {
  status: number;
  /**
   * Lower-case names. The only header of the platform's that crosses is `content-type`. On plain http the
   * site adds the profile's key.
   */
  headers: Record<string, string>;
  /** Null for a status that has no body. */
  body: Buffer<ArrayBuffer> | null;
}

/** Statuses that HTTP gives no body. */
const bodiless = new Set([204, 205, 304]);

/**
 * Asks the platform who the visitor is. Never throws for what the platform does: a platform that
 * cannot be reached is 502, one that is too slow 504, each with a JSON body.
 */
export async function relayPlatformUser(
  signal?: StopSignal,
  requestId?: string,
): Promise<RelayedUser> {
  if (siteEnv().offlineDemo) return relayed(200, 'application/json', json(demoUser));
  try {
    const answer = await callUpstream({ path: '/user', signal, requestId });
    const body = bodiless.has(answer.status) ? null : answer.body;
    return relayed(answer.status, answer.contentType ?? 'application/json', body);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return relayed(error.status, 'application/json', json(upstreamUnavailable));
  }
}

/** The relay as a route's answer. `GET` and `HEAD` only. */
export async function userRelayResponse(request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return Response.json(
      { error: 'method_not_allowed' },
      { status: 405, headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' } },
    );
  }
  const { status, headers, body } = await relayPlatformUser(request.signal);
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

function relayed(status: number, contentType: string, body: RelayedUser['body']): RelayedUser {
  const headers: RelayedUser['headers'] = {
    'content-type': contentType,
    'cache-control': 'no-store',
  };
  if (body && status >= 200 && status <= 299 && !hasWebCrypto.test(siteEnv().siteOrigin)) {
    headers[profileKeyHeader] = toSafeProfile(parseJson(body)).key;
  }
  return { status, headers, body };
}

/** Origins whose pages are secure contexts, as browsers see it: those have Web Crypto. */
const hasWebCrypto = /^(https:|http:\/\/(([^/]+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$)/;

function json(value: unknown): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(value));
}
