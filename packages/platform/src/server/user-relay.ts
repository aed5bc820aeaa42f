/** The relay behind `/api/user` (W03, W04, W32): the platform's response, unchanged. */
import { demoUnknown, demoVisitorOf } from './demo-visitor.ts';
import type { PlatformSettings } from './platform.ts';
import type { StopSignal } from './upstream/call.ts';
import { UpstreamFailure, upstreamUnavailable } from './upstream/failures.ts';
import type { Upstream } from './upstream/upstream.ts';

export interface RelayedUser {
  status: number;
  /** Lower-case names. `content-type` is the only header of the platform's that is relayed. */
  headers: Record<string, string>;
  /** Null for a status without a body. */
  body: Buffer<ArrayBuffer> | null;
}

/** Statuses without a body in HTTP. */
const bodiless = new Set([204, 205, 304]);

export interface UserRelay {
  /**
   * Asks the platform who the visitor is. A failing platform is a response, never an exception: 502
   * if it is unreachable, 504 if it is too slow, each with a JSON body.
   *
   * @param visitor aborts when they disconnect. Only the offline demo reads the cookie.
   */
  relayPlatformUser: (
    visitor?: StopSignal & { cookie?: string },
    requestId?: string,
  ) => Promise<RelayedUser>;
  /** The relay as a route's response. `GET` and `HEAD` only. */
  userRelayResponse: (request: Request) => Promise<Response>;
}

export function createUserRelay(settings: () => PlatformSettings, upstream: Upstream): UserRelay {
  async function relayUser(signal?: StopSignal, requestId?: string): Promise<RelayedUser> {
    try {
      const response = await upstream.call({ path: '/user', signal, requestId });
      const body = bodiless.has(response.status) ? null : response.body;
      return relayed(response.status, response.contentType ?? 'application/json', body);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return relayed(error.status, 'application/json', json(upstreamUnavailable));
    }
  }

  return {
    relayPlatformUser: (visitor, requestId) =>
      settings().offlineDemo ? relayDemoVisitor(visitor?.cookie) : relayUser(visitor, requestId),
    async userRelayResponse({ method, headers, signal }) {
      if (method !== 'GET' && method !== 'HEAD') {
        return Response.json(
          { error: 'method_not_allowed' },
          { status: 405, headers: { allow: 'GET, HEAD', 'cache-control': 'no-store' } },
        );
      }
      const { body, ...head } = await (settings().offlineDemo
        ? relayDemoVisitor(headers.get('cookie') ?? '')
        : relayUser(signal));
      return new Response(method === 'HEAD' ? null : body, head);
    },
  };
}

async function relayDemoVisitor(cookie = ''): Promise<RelayedUser> {
  const visitor = await demoVisitorOf({ cookie, kind: 'resource' });
  const body = json(visitor?.profile ?? demoUnknown);
  return relayed(visitor ? 200 : 401, 'application/json', body);
}

function relayed(status: number, contentType: string, body: RelayedUser['body']): RelayedUser {
  return { status, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body };
}

function json(value: unknown): Buffer<ArrayBuffer> {
  return Buffer.from(JSON.stringify(value));
}
