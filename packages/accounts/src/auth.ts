/**
 * better-auth as a library: its HTTP handler is not mounted. From a request it sees only the
 * session cookie, validated here, and the user agent.
 */
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Kysely } from 'kysely';
import { storeKind } from '@gatehouse/store';
import { retried, runInBackground } from './background.ts';
import { forgiveAttempts } from './limits.ts';
import { queueAccountMail } from './mail/account-mails.ts';
import { revokeLinks, storeLink } from './mail/confirmation-links.ts';
import { withMails } from './mail/outbox.ts';
import { hashPassword, verifyPassword } from './password/hashing.ts';
import { wrongPasswords } from './password/wrong-passwords.ts';
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
      sendResetPassword: ({ user, token }) =>
        keptLater(site, () => queueAccountMail(site, 'reset', user, { token })),
      onPasswordReset: ({ user }) => afterReset(site, user),
      onExistingUserSignUp: ({ user }) =>
        keptLater(site, () => queueAccountMail(site, 'already-signed-up', user)),
    },
    emailVerification: {
      expiresIn: linkSeconds.verification,
      ...(sendsMail && {
        sendVerificationEmail: ({ user, token }) => mailConfirmation(site, user, token),
      }),
    },
  });
}

/**
 * In the background, so that the response time does not reveal whether the address is taken, and because the library
 * discards the errors of its hooks for mail.
 */
function keptLater(site: AccountsSite, keep: () => Promise<unknown>): Promise<void> {
  runInBackground(site, () => retried(keep));
  return Promise.resolve();
}

function mailConfirmation(
  site: AccountsSite,
  account: { id: string; email: string },
  token: string,
): Promise<void> {
  return keptLater(site, () =>
    withMails(site, async (db) => {
      await storeLink(db, account.id, token, linkSeconds.verification);
      await queueAccountMail(site, 'verification', account, { token, db });
    }),
  );
}

/**
 * The reset link came by mail, which confirms the address. Also clears the attempts counted against
 * the account.
 */
async function afterReset(
  site: AccountsSite,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await withMails(site, async (db) => {
    await db.updateTable('account').set({ emailVerified: true }).where('id', '=', id).execute();
    await revokeLinks(db, id);
    // The library ended all sessions before it set the password: a sign-in may have come between.
    await db.deleteFrom('account_session').where('account_id', '=', id).execute();
    await queueAccountMail(site, 'password-changed', { email }, { db });
  });
  await forgiveAttempts(site, wrongPasswords, { email, address: undefined });
}
