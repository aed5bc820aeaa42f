/**
 * The guard (W07–W11): every operation that uses the platform asks here first, and only a passed
 * guard opens the SDK (`createPlatformSdk`).
 */
import { siteEnv } from '~/env.server';
import type { ApiResponse } from '~/frame/api';
import { isApiPath } from '~/frame/api-path';
import { returnPathOf } from '~/frame/return-path';
import { loginAddress } from './auth-navigation';
import { demoVisitorOf } from './demo-visitor.server';
import { toSafeProfile, type UserState } from './profile';
import type { PlatformErrorCode } from './error-codes';
import { callUpstream, UpstreamFailure, upstreamUnavailable } from './upstream/upstream.server';

/**
 * One request of a visitor, as far as the platform must know it. Remix hands each loader a new
 * `Request` but one `context`, so this object stands for the request: the answer is remembered by it.
 */
export interface PlatformContext {
  /** Aborts when the visitor goes away. */
  signal?: AbortSignal;
  /** In every log line of this request, and in its `x-request-id` header. */
  requestId?: string;
  /** The request's `Cookie` header. It tells the offline demo's visitors apart, and nobody else. */
  cookie?: string;
  /** What the browser does with the answer: shows it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
  /** Nobody is signed in to this request, whatever it carries: the guard fails without asking the platform. */
  anonymous?: boolean;
}

/** What Remix gives to a loader or an action, as far as the guard looks at it. */
export interface GuardedArgs {
  request: Request;
  context: PlatformContext;
}

declare const passed: unique symbol;

/** Only {@link checkPlatformUser} makes one. `user` is null when the body was no JSON (W08). */
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
 * Asks the platform who the visitor is. However many loaders ask in one request, the platform is
 * asked once. Never throws for what the platform does.
 */
export function checkPlatformUser(context: PlatformContext): Promise<GuardResult> {
  let answer = answers.get(context);
  if (!answer) {
    answer = askPlatform(context);
    answers.set(context, answer);
  }
  return answer;
}

/** Whether anything has asked in this request: its answer may then say who the visitor is. */
export function hasAskedPlatform(context: PlatformContext): boolean {
  return answers.has(context);
}

/**
 * The guard for pages: returns when it passes, else throws the `Response` that fits the request. It takes what
 * a loader or an action is given.
 *
 * - signed out: a redirect to sign-in that comes back to this page. It makes a client navigation load a new
 *   document, since `/__auth/login` is the platform's and no route of this site
 * - under `/api`: what {@link guardFailureResponse} gives
 * - the platform is lost: the error page, with its status and a way to try again; never sign-in
 *
 * @throws {Response}
 */
export async function requirePlatformUser({ request, context }: GuardedArgs): Promise<PassedGuard> {
  const guard = await checkPlatformUser(context);
  if (guard.ok) return guard;
  const url = new URL(request.url);
  if (isApiPath(url.pathname)) throw guardFailureResponse(guard);
  if (guard.status === 401) {
    // Remix adds `?index` to a form that posts to an index route. It is no part of the page's address.
    if (url.searchParams.get('index') === '') url.searchParams.delete('index');
    throw new Response(null, {
      status: 302,
      headers: {
        location: loginAddress(returnPathOf(url)),
        'cache-control': 'no-store',
        // For client navigations: tells Remix to load the target as a document.
        'x-remix-reload-document': 'true',
      },
    });
  }
  // A 500 from the platform is shown as 502: this site did not fail.
  const { status } = refusalOf(guard);
  throw new Response(null, { status: status === 500 ? 502 : status });
}

/** W10: the upstream status and the upstream body as JSON. */
export function guardFailureResponse(guard: FailedGuard): ApiResponse<never> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // Remix takes no redirect without a place to go, and the platform's never crosses.
  const status = [301, 302, 303, 307, 308].includes(guard.status) ? 502 : guard.status;
  // A 304 can have no body, and `Response` refuses one.
  const response = new Response(status === 304 ? null : toJson(guard.body), { status, headers });
  return response as ApiResponse<never>;
}

/** A failed guard in a page's own words (W11): the status to answer with, and the site's code. */
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

/** What pages may know of a guard's result (W20). */
export function userStateOf(guard: GuardResult): UserState {
  if (guard.ok) return { status: 'signed-in', profile: toSafeProfile(guard.user) };
  return { status: guard.status === 401 ? 'signed-out' : 'unavailable' };
}

/**
 * The request a guard was passed in. The run-time half of the key to the SDK: an object that merely
 * looks like a passed guard is refused.
 *
 * @throws {TypeError} when the guard was not made by {@link checkPlatformUser}.
 */
export function contextOf(guard: PassedGuard): PlatformContext {
  const context = contexts.get(guard);
  if (!context) throw new TypeError('The SDK opens only to a guard that checkPlatformUser passed.');
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

/** Null for what is nested too deep to be written again. */
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

/** W31: what the offline demo says to a browser that keeps no cookies. */
export const demoUnknown = { error: 'demo_needs_cookie' } as const;
