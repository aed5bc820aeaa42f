/**
 * The guard (W07–W11): every operation that uses the platform calls it first, and only a passed
 * guard opens the SDK (`createPlatformSdk`).
 */
import { isApiPath, requestedPath } from '@gatehouse/frame';
import { refuseOnPublicRoute } from '@gatehouse/frame/server';
import { loginAddress } from '../auth-routes.ts';
import { demoUnknown, demoVisitorOf } from './demo-visitor.ts';
import type { UserState } from '../profile.ts';
import {
  guardFailureResponse,
  userStateOf,
  type FailedGuard,
  type GuardResult,
  type PassedGuard,
} from './guard-results.ts';
import type { PlatformSettings } from './platform.ts';
import { UpstreamFailure, upstreamUnavailable } from './upstream/failures.ts';
import type { Upstream } from './upstream/upstream.ts';

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
  /** Set where caches may keep the response: the guard throws. */
  isPublic?: boolean;
}

/** The part of a loader's or action's arguments that the guard reads. */
export interface GuardedArgs {
  request: Request;
  context: PlatformContext;
}

export interface GuardFunctions {
  /**
   * Asks the platform who the visitor is. Memoised: however many loaders call it, the platform is
   * called once per request. Platform failures are results, never exceptions.
   *
   * @throws {Error} where the route declares `handle.cache`.
   */
  checkPlatformUser: (context: PlatformContext) => Promise<GuardResult>;
  /**
   * The guard for pages. Takes a loader's or action's arguments; returns when the guard passes,
   * otherwise throws the `Response` that fits the request:
   *
   * - signed out: a redirect to sign-in that returns to this page. A client navigation is made to
   *   load a new document, since `/__auth/login` is the platform's and not a route of this site
   * - a resource: {@link guardFailureResponse}
   * - platform unavailable: the error page, with the status and a retry; never sign-in
   *
   * @throws {Response}
   */
  requirePlatformUser: (args: GuardedArgs) => Promise<PassedGuard>;
  /** What pages may learn of the visitor (W20): for the root's loader. `checking` for a page that caches may keep, which asks nobody. */
  loadUserState: (context: PlatformContext) => Promise<UserState>;
  /** Whether the guard ran in this request, so that its response may depend on who the visitor is. */
  hasCheckedPlatform: (context: PlatformContext) => boolean;
  /**
   * The request that a guard was passed in. This is the run-time half of the SDK's type check: an
   * object that merely looks like a passed guard is rejected.
   *
   * @throws {TypeError} when the guard was not made by `checkPlatformUser`.
   */
  contextOf: (guard: PassedGuard) => PlatformContext;
}

export function createGuard(settings: () => PlatformSettings, upstream: Upstream): GuardFunctions {
  const results = new WeakMap<PlatformContext, Promise<GuardResult>>();
  const contexts = new WeakMap<PassedGuard, PlatformContext>();

  function checkPlatformUser(context: PlatformContext): Promise<GuardResult> {
    let result = results.get(context);
    if (!result) {
      result = requestUser(context);
      results.set(context, result);
    }
    return result;
  }

  async function requestUser(context: PlatformContext): Promise<GuardResult> {
    refuseOnPublicRoute(context);
    if (context.anonymous) return { ok: false, status: 401, body: null };
    if (settings().offlineDemo) {
      const visitor = await demoVisitorOf(context);
      return visitor
        ? pass(context, visitor.profile)
        : { ok: false, status: 401, body: demoUnknown };
    }
    try {
      const { status, body } = await upstream.call({
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

  return {
    checkPlatformUser,
    async requirePlatformUser({ request, context }) {
      const guard = await checkPlatformUser(context);
      if (guard.ok) return guard;
      throw pageRefusal(guard, { request, context });
    },
    async loadUserState(context) {
      if (context.isPublic) return { status: 'checking' };
      return userStateOf(await checkPlatformUser(context));
    },
    hasCheckedPlatform: (context) => results.has(context),
    contextOf(guard) {
      const context = contexts.get(guard);
      if (!context)
        throw new TypeError('The SDK accepts only a guard that checkPlatformUser passed.');
      return context;
    },
  };
}

/** The response that refuses a page or a resource whose guard failed. */
function pageRefusal(guard: FailedGuard, { request, context }: GuardedArgs): Response {
  if (context.kind === 'resource' || isApiPath(new URL(request.url).pathname))
    return guardFailureResponse(guard);
  if (guard.status === 401) {
    return new Response(null, {
      status: 302,
      headers: {
        location: loginAddress(requestedPath({ request, context })),
        'cache-control': 'no-store',
        // Makes Remix load the target of a client navigation as a document.
        'x-remix-reload-document': 'true',
      },
    });
  }
  return new Response(null, { status: pageStatuses.has(guard.status) ? guard.status : 502 });
}

/** What a page passes on. Any other status of `/user`, such as a 404, would say something untrue of the page. */
const pageStatuses: ReadonlySet<number> = new Set([403, 429, 503, 504]);

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
