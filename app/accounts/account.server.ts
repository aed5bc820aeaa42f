/** The guard of what needs a site account: every loader and action that does asks here first. */
import { setImmediate as nextTurn } from 'node:timers/promises'; // auth: platform
import { log } from 'site-server/log';
import { isApiPath } from '~/frame/api-path';
import { returnPathOf } from '~/frame/return-path';
import { isStoreUnavailable, storeUnavailableResponse } from '~/store/unavailable.server';
import type { AccountState } from './account-state';
import { auth, authHeaders } from './auth.server';
import { sessionCookieOf } from './session/session-cookie.server';

/** Whoever is signed in to a site account. */
export interface Account {
  id: string;
  name: string;
  email: string;
  /** Of this browser. */
  sessionId: string;
}

/** What Remix gives to a loader or an action, as far as the guard looks at it. */
export interface AccountArgs {
  request: Request;
  context: AccountContext;
}

/** One request of a visitor. Remix hands each loader a new `Request`, but one `context`. */
export interface AccountContext {
  requestId?: string;
  /** Nobody is signed in to this request, whatever it carries. */
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

const answers = new WeakMap<AccountContext, Promise<AccountGuard>>();

/** Who is signed in. However many loaders ask in one request, the store is asked once. */
export function checkAccount({ request, context }: AccountArgs): Promise<AccountGuard> {
  let answer = answers.get(context);
  if (!answer) {
    answer = findAccount(request, context);
    answers.set(context, answer);
  }
  return answer;
}

/** Whether anything has asked in this request: its answer may then say who the visitor is. */
export function hasAskedAccount(context: AccountContext): boolean {
  return answers.has(context);
}

/**
 * The guard for pages: returns when it passes, else throws the `Response` that fits the request. Signed out that is a
 * redirect to sign-in that comes back to this page, under `/api` a 401. A lost store is the error page of a 503.
 *
 * @throws {Response}
 */
export async function requireAccount({
  request,
  context,
}: AccountArgs): Promise<PassedAccountGuard> {
  const result = await checkAccount({ request, context });
  if (result.ok) return result;
  const url = new URL(request.url);
  if (isApiPath(url.pathname)) throw accountFailureResponse(result);
  if (result.reason === 'unavailable') throw new Response(null, { status: 503 });
  if (url.searchParams.get('index') === '') url.searchParams.delete('index');
  const query = new URLSearchParams({ return: returnPathOf(url) });
  departures.add(context); // auth: platform
  throw new Response(null, {
    status: 302,
    headers: { location: `/sign-in?${query.toString()}`, 'cache-control': 'no-store' },
  });
}

// auth: platform
const departures = new WeakSet<AccountContext>();

/**
 * Whether a loader of this request sends the visitor to sign-in. Remix waits for every loader before it redirects, so
 * one that asks something slow first looks whether anybody will see it.
 */
export async function isSentToSignIn({ request, context }: AccountArgs): Promise<boolean> {
  await checkAccount({ request, context });
  // The page's own loader waits for the same answer.
  await nextTurn();
  return departures.has(context);
}
// /auth

/** What a resource route answers when {@link checkAccount} fails. */
export function accountFailureResponse({ reason }: FailedAccountGuard): Response {
  if (reason === 'unavailable') return storeUnavailableResponse();
  return Response.json(
    { error: 'account_required' },
    { status: 401, headers: { 'cache-control': 'no-store' } },
  );
}

/** What pages may know of the guard's result. */
export function accountStateOf(result: AccountGuard): AccountState {
  if (!result.ok) return { status: result.reason };
  const { name, email } = result.account;
  return { status: 'signed-in', name, email };
}

async function findAccount(request: Request, context: AccountContext): Promise<AccountGuard> {
  // Most visitors have no session: for them the store is not asked.
  if (context.anonymous || !sessionCookieOf(request)) return { ok: false, reason: 'signed-out' };
  try {
    const found = await auth().api.getSession({ headers: authHeaders(request) });
    if (!found) return { ok: false, reason: 'signed-out' };
    const { user, session } = found;
    const { id, name, email } = user;
    return { ok: true, account: { id, name, email, sessionId: session.id } };
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    log.warn({ requestId: context.requestId }, 'the store does not answer');
    return { ok: false, reason: 'unavailable' };
  }
}
