/** Lists, renews and ends an account's sessions. */
import { randomBytes } from 'node:crypto';
import { readTimestamp } from '@gatehouse/store';
import type { AccountsSite } from '../site.ts';
import type { AccountTables } from '../tables.ts';
import { sessionCookieName, sessionCookieOf } from './session-cookie.ts';
import { digestOf } from './token-digests.ts';

export interface SessionRow {
  id: string;
  /** A short description of the browser. */
  browser: string;
  /** ISO 8601. */
  signedInAt: string;
}

/** Newest first, without expired ones. */
export async function listSessions(site: AccountsSite, accountId: string): Promise<SessionRow[]> {
  const rows = await site
    .store<AccountTables>()
    .selectFrom('account_session')
    .select(['id', 'userAgent', 'createdAt', 'expiresAt'])
    .where('account_id', '=', accountId)
    .orderBy('createdAt', 'desc')
    .limit(100)
    .execute();
  return rows
    .filter(({ expiresAt }) => readTimestamp(expiresAt) > new Date())
    .map(({ id, userAgent, createdAt }) => ({
      id,
      browser: browserOf(userAgent ?? ''),
      signedInAt: readTimestamp(createdAt).toISOString(),
    }));
}

/** Ends a session, only if it belongs to this account. */
export async function endSession(
  site: AccountsSite,
  accountId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await site
    .store<AccountTables>()
    .deleteFrom('account_session')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether a session still exists. */
export async function isLive(site: AccountsSite, id: string): Promise<boolean> {
  const found = await site
    .store<AccountTables>()
    .selectFrom('account_session')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

export async function endOtherSessions(
  site: AccountsSite,
  accountId: string,
  keptId: string,
): Promise<void> {
  await site
    .store<AccountTables>()
    .deleteFrom('account_session')
    .where('account_id', '=', accountId)
    .where('id', '!=', keptId)
    .execute();
}

/** Ends whatever session a request carries, so that a new sign-in leaves no old session behind. */
export async function endSessionOf(site: AccountsSite, request: Request): Promise<void> {
  const cookie = sessionCookieOf(site, request);
  if (cookie) await endSessionWith(site, cookie.token);
}

export async function endSessionWith(site: AccountsSite, token: string): Promise<void> {
  await site
    .store<AccountTables>()
    .deleteFrom('account_session')
    .where('token', '=', digestOf(token))
    .execute();
}

/** Gives a session a new token, so that a copy of its cookie is void. */
export async function renewSession(site: AccountsSite, id: string): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await site
    .store<AccountTables>()
    .updateTable('account_session')
    .set({ token: digestOf(token), updatedAt: new Date() })
    .where('id', '=', id)
    .execute();
  return token;
}

/** Picks the session cookie out of the cookies that the library sets. */
export function sessionCookieIn(headers: Headers): Headers {
  const own = new Headers();
  for (const cookie of headers.getSetCookie()) {
    if (cookie.startsWith(`${sessionCookieName}=`)) own.append('set-cookie', cookie);
  }
  return own;
}

const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

function browserOf(userAgent: string): string {
  const browser = browsers.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = systems.find(([sign]) => userAgent.includes(sign))?.[1];
  if (!browser) return system ?? 'Unknown browser';
  return system ? `${browser} on ${system}` : browser;
}
