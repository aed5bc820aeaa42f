/**
 * The guard (W07–W11): every operation that uses the platform calls it first, and only a passed
 * guard opens the SDK (`createPlatformSdk`).
 */
import { siteEnv } from '~/env.server';
import type { ApiResponse } from '@gatehouse/frame/browser';
import { isApiPath, requestedPath } from '@gatehouse/frame';
import { loginAddress } from '../auth-routes';
import { demoVisitorOf } from './demo-visitor';
import { toSafeProfile, type UserState } from '../profile';
import type { PlatformErrorCode } from '../error-codes';
import { callUpstream, UpstreamFailure, upstreamUnavailable } from './upstream/call';

/**
 * What the platform code needs to know of a visitor's request. Remix hands each loader a new
 * `Request` but the same `context`, so this object identifies the request, and the guard's result
 * is memoised by it.
 */
export interface PlatformContext {
  /** Aborts when the visitor disconnects. */
  signal?: AbortSignal;
  /** In every log line of this request, and in its `x-request-id` header. */
  requestId?: string;
  /** The request's `Cookie` header. Only the offline demo reads it, to tell its visitors apart. */
  cookie?: string;
  /** The page's address as the browser sent it: `request.url` has the query re-encoded. */
  page?: { pathname: string; search: string };
  /**
   * What the browser does with the response: renders it, reads it as data, or uses it as a file.
   */
  kind?: 'document' | 'data' | 'resource';
  /**
   * Treat the request as signed out whatever it carries: the guard fails without calling the
   * platform.
   */
  anonymous?: boolean;
}

/** The part of a loader's or action's arguments that the guard reads. */
export interface GuardedArgs {
  request: Request;
  context: PlatformContext;
}

declare const passed: unique symbol;

/** Made only by {@link checkPlatformUser}. `user` is null when the body is not JSON (W08). */
export interface PassedGuard {
  readonly ok: true;
  readonly user: unknown;
  readonly [passed]: true;
}

/** W07: the upstream status and its JSON body, or null. */
export interface FailedGuard {
  readonly ok: false;
  readonly status: number;
  readonly body: unknown;
}

export type GuardResult = PassedGuard | FailedGuard;

const answers = new WeakMap<PlatformContext, Promise<GuardResult>>();
const contexts = new WeakMap<PassedGuard, PlatformContext>();

/**
 * Asks the platform who the visitor is. Memoised: however many loaders call it, the platform is
 * called once per request. Platform failures are results, never exceptions.
 */
export function checkPlatformUser(context: PlatformContext): Promise<GuardResult> {
  let answer = answers.get(context);
  if (!answer) {
    answer = askPlatform(context);
    answers.set(context, answer);
  }
  return answer;
}

/** Whether the guard ran in this request, so that its response may depend on who the visitor is. */
export function hasAskedPlatform(context: PlatformContext): boolean {
  return answers.has(context);
}

/**
 * The guard for pages. Takes a loader's or action's arguments; returns when the guard passes,
 * otherwise throws the `Response` that fits the request:
 *
 * - signed out: a redirect to sign-in that returns to this page. A client navigation is made to
 *   load a new document, since `/__auth/login` is the platform's and not a route of this site
 * - under `/api`: {@link guardFailureResponse}
 * - platform unavailable: the error page, with the status and a retry; never sign-in
 *
 * @throws {Response}
 */
export async function requirePlatformUser({ request, context }: GuardedArgs): Promise<PassedGuard> {
  const guard = await checkPlatformUser(context);
  if (guard.ok) return guard;
  if (isApiPath(new URL(request.url).pathname)) throw guardFailureResponse(guard);
  if (guard.status === 401) {
    throw new Response(null, {
      status: 302,
      headers: {
        location: loginAddress(requestedPath({ request, context })),
        'cache-control': 'no-store',
        // Makes Remix load the target of a client navigation as a document.
        'x-remix-reload-document': 'true',
      },
    });
  }
  throw new Response(null, { status: pageStatuses.has(guard.status) ? guard.status : 502 });
}

/** What a page passes on. Any other status of `/user`, such as a 404, would say something untrue of the page. */
const pageStatuses: ReadonlySet<number> = new Set([403, 429, 503, 504]);

/** W10: the upstream status and the upstream body as JSON. */
export function guardFailureResponse(guard: FailedGuard): ApiResponse<never> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // Remix requires a `Location` on redirects, and the platform's is never relayed.
  const status = [301, 302, 303, 307, 308].includes(guard.status) ? 502 : guard.status;
  // `Response` throws for a 304 with a body.
  const response = new Response(status === 304 ? null : toJson(guard.body), { status, headers });
  return response as ApiResponse<never>;
}

/** A failed guard as the site's own status and code (W11). */
export function refusalOf(guard: FailedGuard): { status: number; code: PlatformErrorCode } {
  return {
    status: guard.status < 400 ? 502 : guard.status,
    code: guardCodes[guard.status] ?? 'upstream_unavailable',
  };
}

const guardCodes: Record<number, PlatformErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  429: 'rate_limited',
};

/** What pages may learn from a guard's result (W20). */
export function userStateOf(guard: GuardResult): UserState {
  if (guard.ok) return { status: 'signed-in', profile: toSafeProfile(guard.user) };
  return { status: guard.status === 401 ? 'signed-out' : 'unavailable' };
}

/**
 * The request that a guard was passed in. This is the run-time half of the SDK's type check: an
 * object that merely looks like a passed guard is rejected.
 *
 * @throws {TypeError} when the guard was not made by {@link checkPlatformUser}.
 */
export function contextOf(guard: PassedGuard): PlatformContext {
  const context = contexts.get(guard);
  if (!context) throw new TypeError('The SDK accepts only a guard that checkPlatformUser passed.');
  return context;
}

async function askPlatform(context: PlatformContext): Promise<GuardResult> {
  if (context.anonymous) return { ok: false, status: 401, body: null };
  if (siteEnv().offlineDemo) {
    const visitor = await demoVisitorOf(context);
    return visitor ? pass(context, visitor.profile) : { ok: false, status: 401, body: demoUnknown };
  }
  try {
    const { status, body } = await callUpstream({
      path: '/user',
      signal: context.signal,
      requestId: context.requestId,
    });
    const value = parseJson(body);
    if (status >= 200 && status <= 299) return pass(context, value);
    return { ok: false, status, body: value };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { ok: false, status: error.status, body: upstreamUnavailable };
  }
}

function pass(context: PlatformContext, user: unknown): PassedGuard {
  const guard = Object.freeze({ ok: true, user }) as PassedGuard;
  contexts.set(guard, context);
  return guard;
}

/** `null` for a value nested too deeply to serialise. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'null';
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

/** W31: the offline demo's 401 body for a browser that keeps no cookies. */
export const demoUnknown = { error: 'demo_needs_cookie' } as const;
