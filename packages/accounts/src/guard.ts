/** The guard for site accounts: every loader and action that needs one calls it first. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isApiPath, requestedPath } from '@gatehouse/frame';
import { refuseOnPublicRoute } from '@gatehouse/frame/server';
import type { Kysely } from 'kysely';
import { isStoreUnavailable, storeUnavailableResponse } from '@gatehouse/store';
import type { AccountState } from './account-state.ts';
import { auth, authHeaders } from './auth.ts';
import { rolesOf } from './roles/roles.ts';
import { sessionCookieOf } from './session/session-cookie.ts';
import type { AccountsSite } from './site.ts';

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
  /** Those that it has at this moment: for what a page shows. `requireAccount(args, { role })` refuses. */
  roles: readonly string[];
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
  /** The visitor's IP address, if known. */
  clientAddress?: string | undefined;
  /** The page's address as the browser sent it: `request.url` has the query re-encoded. */
  page?: { pathname: string; search: string };
  /** What the browser does with the response: renders it, reads it as data, or uses it as a file. */
  kind?: 'document' | 'data' | 'resource';
  /** Treat the request as signed out, whatever it carries. */
  anonymous?: boolean;
  /** Set where caches may keep the response: the guard throws. */
  isPublic?: boolean;
}

export interface PassedAccountGuard {
  readonly ok: true;
  readonly account: Account;
}

/** What `requireAccount` returns. */
export interface OpenAccountGuard<Tables> extends PassedAccountGuard {
  /** The site's store. Its rows are everybody's: each query filters by `account.id`. */
  readonly db: Kysely<Tables>;
}

export interface FailedAccountGuard {
  readonly ok: false;
  readonly reason: 'signed-out' | 'unavailable';
}

export type AccountGuard = PassedAccountGuard | FailedAccountGuard;

const checked = new WeakSet<AccountContext>();
const results = new WeakMap<AccountContext, Promise<AccountGuard>>();

/**
 * Finds who is signed in. Memoised: however many loaders call it, the store is queried once per
 * request.
 */
export function checkAccount(
  site: AccountsSite,
  { request, context }: AccountArgs,
): Promise<AccountGuard> {
  checked.add(context);
  refuseOnPublicRoute(context);
  let result = results.get(context);
  if (!result) {
    result = findAccount(site, request, context);
    results.set(context, result);
  }
  return result;
}

/** Whether the guard ran in this request, so that its response may depend on who the visitor is. */
export function hasCheckedAccount(context: AccountContext): boolean {
  return checked.has(context);
}

/** After an action changed the account: the loaders of the same request must read it again. */
export function forgetAccount(context: AccountContext): void {
  results.delete(context);
}

/**
 * The guard for pages: returns the account and the store when it passes, otherwise throws the `Response` that fits the
 * request. Signed out: a redirect to sign-in that returns to this page; under `/api` a 401. Store
 * unavailable: the error page with a 503. Without the role that is needed: a 403, with an empty body or
 * under `/api` with `{ "error": "forbidden" }`.
 *
 * @throws {Response}
 */
export async function requireAccount<Tables>(
  site: AccountsSite,
  { request, context }: AccountArgs,
  needed?: { role: string },
): Promise<OpenAccountGuard<Tables>> {
  const result = await checkAccount(site, { request, context });
  const isResource = context.kind === 'resource' || isApiPath(new URL(request.url).pathname);
  if (result.ok) {
    const { account } = result;
    if (needed && !account.roles.includes(needed.role)) throw roleRefusal(isResource);
    return { ok: true, account, db: site.store<Tables>() };
  }
  if (isResource) throw accountFailureResponse(result);
  if (result.reason === 'unavailable') throw new Response(null, { status: 503 });
  departures.add(context);
  throw signInRedirect(site, { request, context });
}

function roleRefusal(isResource: boolean): Response {
  if (!isResource) return new Response(null, { status: 403 });
  const headers = { 'cache-control': 'no-store' };
  return Response.json({ error: 'forbidden' }, { status: 403, headers });
}

/** A redirect to sign-in that returns to the requested page. */
export function signInRedirect({ signInPath }: AccountsSite, args: AccountArgs): Response {
  const query = new URLSearchParams({ return: requestedPath(args) });
  return new Response(null, {
    status: 302,
    headers: { location: `${signInPath}?${query.toString()}`, 'cache-control': 'no-store' },
  });
}

const departures = new WeakSet<AccountContext>();

/**
 * Whether a loader of this request redirects to sign-in. Remix waits for all loaders before it
 * redirects, so one that makes a slow call checks first whether its result will be used.
 */
export async function isSentToSignIn(
  site: AccountsSite,
  { request, context }: AccountArgs,
): Promise<boolean> {
  await checkAccount(site, { request, context });
  // The page's own loader awaits the same promise; give it time to continue.
  await yieldToEventLoop();
  return departures.has(context);
}

/** A resource route's response when {@link checkAccount} fails. */
export function accountFailureResponse({ reason }: FailedAccountGuard): Response {
  if (reason === 'unavailable') return storeUnavailableResponse();
  return Response.json(
    { error: 'account_required' },
    { status: 401, headers: { 'cache-control': 'no-store' } },
  );
}

/** What pages may learn of the visitor: for the root's loader. `checking` for a page that caches may keep, which asks nobody. */
export async function loadAccountState(
  site: AccountsSite,
  args: AccountArgs,
): Promise<AccountState> {
  if (args.context.isPublic) return { status: 'checking' };
  return accountStateOf(await checkAccount(site, args));
}

/** What pages may learn from the guard's result. */
export function accountStateOf(result: AccountGuard): AccountState {
  if (!result.ok) return { status: result.reason };
  const { id, name, email } = result.account;
  return { status: 'signed-in', id, name, email };
}

async function findAccount(
  site: AccountsSite,
  request: Request,
  context: AccountContext,
): Promise<AccountGuard> {
  // Most visitors have no session, and need no query.
  if (context.anonymous || !sessionCookieOf(site, request))
    return { ok: false, reason: 'signed-out' };
  try {
    const found = await auth(site).api.getSession({ headers: authHeaders(site, request) });
    if (!found) return { ok: false, reason: 'signed-out' };
    const { user, session } = found;
    const { id, name, email } = user;
    const emailVerified = site.settings().smtpUrl !== null && user.emailVerified;
    const roles = await rolesOf(site, id);
    return { ok: true, account: { id, name, email, emailVerified, roles, sessionId: session.id } };
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    site.log.warn({ requestId: context.requestId }, 'store unavailable');
    return { ok: false, reason: 'unavailable' };
  }
}
