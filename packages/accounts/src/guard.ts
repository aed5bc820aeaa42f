/** The guard for site accounts: every loader and action that needs one calls it first. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'; // auth: platform
import { log } from '@gatehouse/server/log';
import { siteEnv } from '~/env.server';
import { isApiPath, requestedPath } from '@gatehouse/frame';
import { isStoreUnavailable, storeUnavailableResponse } from '@gatehouse/store';
import type { AccountState } from './account-state.ts';
import { auth, authHeaders } from './auth.ts';
import { sessionCookieOf } from './session/session-cookie.ts';

/** The signed-in site account. */
export interface Account {
  id: string;
  name: string;
  email: string;
  /**
   * Whether its owner has confirmed the address by mail. Always false on a site without mail
   * (`SMTP_URL=off`), where anybody can sign up with any address: never grant rights by an address
   * that is not verified.
   */
  emailVerified: boolean;
  /** The session of this browser. */
  sessionId: string;
}

/** The part of a loader's or action's arguments that the guard reads. */
export interface AccountArgs {
  request: Request;
  context: AccountContext;
}

/** A visitor's request. Remix hands each loader a new `Request` but the same `context`. */
export interface AccountContext {
  requestId?: string;
  /** The page's address as the browser sent it: `request.url` has the query re-encoded. */
  page?: { pathname: string; search: string };
  /** Treat the request as signed out, whatever it carries. */
  anonymous?: boolean;
}

export interface PassedAccountGuard {
  readonly ok: true;
  readonly account: Account;
}

export interface FailedAccountGuard {
  readonly ok: false;
  readonly reason: 'signed-out' | 'unavailable';
}

export type AccountGuard = PassedAccountGuard | FailedAccountGuard;

const asked = new WeakSet<AccountContext>();
const answers = new WeakMap<AccountContext, Promise<AccountGuard>>();

/**
 * Finds who is signed in. Memoised: however many loaders call it, the store is queried once per
 * request.
 */
export function checkAccount({ request, context }: AccountArgs): Promise<AccountGuard> {
  asked.add(context);
  let answer = answers.get(context);
  if (!answer) {
    answer = findAccount(request, context);
    answers.set(context, answer);
  }
  return answer;
}

/** Whether the guard ran in this request, so that its response may depend on who the visitor is. */
export function hasAskedAccount(context: AccountContext): boolean {
  return asked.has(context);
}

/** After an action changed the account: the loaders of the same request must read it again. */
export function forgetAccount(context: AccountContext): void {
  answers.delete(context);
}

/**
 * The guard for pages: returns when it passes, otherwise throws the `Response` that fits the
 * request. Signed out: a redirect to sign-in that returns to this page; under `/api` a 401. Store
 * unavailable: the error page with a 503.
 *
 * @throws {Response}
 */
export async function requireAccount({
  request,
  context,
}: AccountArgs): Promise<PassedAccountGuard> {
  const result = await checkAccount({ request, context });
  if (result.ok) return result;
  if (isApiPath(new URL(request.url).pathname)) throw accountFailureResponse(result);
  if (result.reason === 'unavailable') throw new Response(null, { status: 503 });
  departures.add(context); // auth: platform
  throw signInRedirect({ request, context });
}

/** A redirect to sign-in that returns to the requested page. */
export function signInRedirect(args: AccountArgs): Response {
  const query = new URLSearchParams({ return: requestedPath(args) });
  return new Response(null, {
    status: 302,
    headers: { location: `/sign-in?${query.toString()}`, 'cache-control': 'no-store' },
  });
}

// auth: platform
const departures = new WeakSet<AccountContext>();

/**
 * Whether a loader of this request redirects to sign-in. Remix waits for all loaders before it
 * redirects, so one that makes a slow call checks first whether its result will be used.
 */
export async function isSentToSignIn({ request, context }: AccountArgs): Promise<boolean> {
  await checkAccount({ request, context });
  // The page's own loader awaits the same promise; give it time to continue.
  await yieldToEventLoop();
  return departures.has(context);
}
// /auth

/** A resource route's response when {@link checkAccount} fails. */
export function accountFailureResponse({ reason }: FailedAccountGuard): Response {
  if (reason === 'unavailable') return storeUnavailableResponse();
  return Response.json(
    { error: 'account_required' },
    { status: 401, headers: { 'cache-control': 'no-store' } },
  );
}

/** What pages may learn from the guard's result. */
export function accountStateOf(result: AccountGuard): AccountState {
  if (!result.ok) return { status: result.reason };
  const { name, email } = result.account;
  return { status: 'signed-in', name, email };
}

async function findAccount(request: Request, context: AccountContext): Promise<AccountGuard> {
  // Most visitors have no session, and need no query.
  if (context.anonymous || !sessionCookieOf(request)) return { ok: false, reason: 'signed-out' };
  try {
    const found = await auth().api.getSession({ headers: authHeaders(request) });
    if (!found) return { ok: false, reason: 'signed-out' };
    const { user, session } = found;
    const { id, name, email } = user;
    const emailVerified = siteEnv().smtpUrl !== null && user.emailVerified;
    return { ok: true, account: { id, name, email, emailVerified, sessionId: session.id } };
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    log.warn({ requestId: context.requestId }, 'store unavailable');
    return { ok: false, reason: 'unavailable' };
  }
}
