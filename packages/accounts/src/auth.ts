/**
 * better-auth as a library: its HTTP handler is not mounted. From a request it sees only the
 * session cookie, validated here, and the user agent.
 */
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Kysely } from 'kysely';
import { storeKind } from '@gatehouse/store';
import { runInBackground } from './background.ts';
import { forgiveAttempts } from './limits.ts';
import { queueAccountMail } from './mail/account-mails.ts';
import { revokeLinks, storeLink } from './mail/confirmation-links.ts';
import { hashPassword, verifyPassword } from './password/hashing.ts';
import { authSecrets } from './session/secrets.ts';
import {
  sessionCookieAttributes,
  sessionCookieName,
  sessionCookieOf,
  sessionSeconds,
} from './session/session-cookie.ts';
import { withTokenDigests } from './session/token-digests.ts';
import type { AccountsSite } from './site.ts';
import type { AccountTables } from './tables.ts';

/** Seconds for which a link in a mail is valid. */
export const linkSeconds = { verification: 24 * 60 * 60, reset: 60 * 60 };

/** By site, because its mails are in them: in development a reloaded module defines the site anew, on the same store. */
const made = new WeakMap<AccountsSite, WeakMap<object, Map<string, Auth>>>();

type Auth = ReturnType<typeof createAuth>;

/** The library on the open store, signing with the current key. */
export function auth(site: AccountsSite): Auth {
  return authBy(site, authSecrets(site)[0]);
}

/**
 * One instance per key, current first: a link in a mail may have been signed with the previous key.
 */
export function authsByKey(site: AccountsSite): Auth[] {
  return authSecrets(site).map((secret) => authBy(site, secret));
}

function authBy(site: AccountsSite, secret: string): Auth {
  const database = site.store<AccountTables>();
  const ofSite = made.get(site) ?? new WeakMap<object, Map<string, Auth>>();
  made.set(site, ofSite);
  const known = ofSite.get(database) ?? new Map<string, Auth>();
  ofSite.set(database, known);
  const own = known.get(secret) ?? createAuth(site, database, secret);
  known.set(secret, own);
  return own;
}

/** Everything that the library gets of a request. */
export function authHeaders(site: AccountsSite, request: Request): Headers {
  const headers = new Headers();
  const cookie = sessionCookieOf(site, request);
  if (cookie) headers.set('cookie', cookie.header);
  headers.set('user-agent', (request.headers.get('user-agent') ?? '').slice(0, 300));
  return headers;
}

function createAuth(site: AccountsSite, database: Kysely<AccountTables>, secret: string) {
  const { siteOrigin, smtpUrl } = site.settings();
  const sendsMail = smtpUrl !== null;
  return betterAuth({
    baseURL: siteOrigin,
    secret,
    // The library hashes passwords inside its transactions, which would lock the store for that
    // long. Where two writes belong together, the first alone does no harm: decision 0019.
    database: withTokenDigests(
      kyselyAdapter(database, { type: storeKind(database), transaction: false }),
    ),
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // Tracing is an optional package. Vite would bundle an empty stub for it.
    experimental: { instrumentation: { enabled: false } },
    advanced: {
      useSecureCookies: false,
      cookies: { session_token: { name: sessionCookieName } },
      defaultCookieAttributes: sessionCookieAttributes(site),
      ipAddress: { disableIpTracking: true },
    },
    user: { modelName: 'account', changeEmail: { enabled: sendsMail } },
    session: {
      modelName: 'account_session',
      fields: { userId: 'account_id' },
      expiresIn: sessionSeconds,
      // A refresh sets a cookie, which would have to be passed on by every loader's response.
      disableSessionRefresh: true,
    },
    account: { modelName: 'account_credential', fields: { userId: 'account_id' } },
    verification: { modelName: 'account_verification', storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: sendsMail,
      // The forms' schemas limit passwords. The library would count UTF-16 units.
      minPasswordLength: 1,
      maxPasswordLength: Infinity,
      password: { hash: hashPassword, verify: verifyPassword },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkSeconds.reset,
      sendResetPassword: ({ user, token }) => mailOf(site, 'reset', user, token),
      onPasswordReset: ({ user }) => afterReset(site, database, user),
      onExistingUserSignUp: ({ user }) => mailOf(site, 'already-signed-up', user),
    },
    emailVerification: {
      expiresIn: linkSeconds.verification,
      ...(sendsMail && {
        sendVerificationEmail: ({ user, token }) => mailConfirmation(site, user, token),
      }),
    },
  });
}

/** Adapts to the library's hooks, which must return promises. */
function mailOf(...mail: Parameters<typeof queueAccountMail>): Promise<void> {
  queueAccountMail(...mail);
  return Promise.resolve();
}

/** Runs in the background so that the response time does not reveal whether the address is taken. */
function mailConfirmation(
  site: AccountsSite,
  account: { id: string; email: string },
  token: string,
) {
  runInBackground(site, async () => {
    await storeLink(site, account.id, token, linkSeconds.verification);
    queueAccountMail(site, 'verification', account, token);
  });
  return Promise.resolve();
}

/**
 * The reset link came by mail, which confirms the address. Also clears the attempts counted against
 * the account.
 */
async function afterReset(
  site: AccountsSite,
  database: Kysely<AccountTables>,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await database.updateTable('account').set({ emailVerified: true }).where('id', '=', id).execute();
  await revokeLinks(site, id);
  // The library ended all sessions before it set the password: a sign-in may have come between.
  await database.deleteFrom('account_session').where('account_id', '=', id).execute();
  await forgiveAttempts(site, 'password', { email, address: undefined });
  queueAccountMail(site, 'password-changed', { email });
}
