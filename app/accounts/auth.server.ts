/**
 * better-auth as a library: its own HTTP handler is not mounted, and it sees no request but the cookie that was
 * checked here and the browser's name.
 */
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Kysely } from 'kysely';
import { siteEnv } from '~/env.server';
import { storeKind } from '~/store/columns.server';
import { store } from '~/store/store.server';
import { forgiveAttempts } from './limits/limits.server';
import { queueAccountMail } from './mail/account-mails.server';
import { hashPassword, verifyPassword } from './password/hashing.server';
import { passwordLength } from './forms/fields';
import { authSecrets } from './session/secrets.server';
import {
  sessionCookieAttributes,
  sessionCookieName,
  sessionCookieOf,
  sessionSeconds,
} from './session/session-cookie.server';
import { withTokenDigests } from './session/token-digests.server';
import type { AccountTables } from './tables.server';

/** Seconds that a link in a mail is good for. */
export const linkSeconds = { verification: 24 * 60 * 60, reset: 60 * 60 };

const made = new WeakMap<object, Map<string, Auth>>();

type Auth = ReturnType<typeof createAuth>;

/** The library on the store that is open, signing by the key in use. */
export function auth(): Auth {
  return authBy(authSecrets()[0]);
}

/** The same for each key, the one in use first: a link in a mail may have been signed by the one before. */
export function authsByKey(): Auth[] {
  return authSecrets().map(authBy);
}

function authBy(secret: string): Auth {
  const database = store<AccountTables>();
  const known = made.get(database) ?? new Map<string, Auth>();
  made.set(database, known);
  const auth = known.get(secret) ?? createAuth(database, secret);
  known.set(secret, auth);
  return auth;
}

/** All that the library is told of a request. */
export function authHeaders(request: Request): Headers {
  const headers = new Headers();
  const cookie = sessionCookieOf(request);
  if (cookie) headers.set('cookie', cookie.header);
  headers.set('user-agent', (request.headers.get('user-agent') ?? '').slice(0, 300));
  return headers;
}

function createAuth(database: Kysely<AccountTables>, secret: string) {
  const env = siteEnv();
  const sendsMail = env.smtpUrl !== null;
  return betterAuth({
    baseURL: env.siteOrigin,
    secret,
    // A password is hashed within what the library calls a transaction: the store would be locked for as long.
    // Where two writes belong together, the first of them alone does no harm: decision 0019.
    database: withTokenDigests(
      kyselyAdapter(database, { type: storeKind(database), transaction: false }),
    ),
    logger: { disabled: true },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // Its tracing is an optional package, for which Vite puts an empty one into the build.
    experimental: { instrumentation: { enabled: false } },
    advanced: {
      useSecureCookies: false,
      cookies: { session_token: { name: sessionCookieName } },
      defaultCookieAttributes: sessionCookieAttributes(),
      ipAddress: { disableIpTracking: true },
    },
    user: { modelName: 'account', changeEmail: { enabled: sendsMail } },
    session: {
      modelName: 'account_session',
      fields: { userId: 'account_id' },
      expiresIn: sessionSeconds,
      // An answer of a loader that also sets a cookie would have to reach the browser each time.
      disableSessionRefresh: true,
    },
    account: { modelName: 'account_credential', fields: { userId: 'account_id' } },
    verification: { modelName: 'account_verification', storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: sendsMail,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: { hash: hashPassword, verify: verifyPassword },
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkSeconds.reset,
      sendResetPassword: ({ user, token }) => mailOf('reset', user, token),
      onPasswordReset: ({ user }) => afterReset(database, user),
      onExistingUserSignUp: ({ user }) => mailOf('already-signed-up', user),
    },
    emailVerification: {
      expiresIn: linkSeconds.verification,
      sendOnSignIn: sendsMail,
      ...(sendsMail && {
        sendVerificationEmail: ({ user, token }) => mailOf('verification', user, token),
      }),
    },
  });
}

/** For the library's hooks, which must be promises. */
function mailOf(...mail: Parameters<typeof queueAccountMail>): Promise<void> {
  queueAccountMail(...mail);
  return Promise.resolve();
}

/** The link came by mail, which confirms the address; attempts counted against the account are forgiven. */
async function afterReset(
  database: Kysely<AccountTables>,
  { id, email, name }: { id: string; email: string; name: string },
): Promise<void> {
  await database.updateTable('account').set({ emailVerified: true }).where('id', '=', id).execute();
  await database.deleteFrom('account_verification').where('value', '=', id).execute();
  await forgiveAttempts('password', { email, address: undefined });
  queueAccountMail('password-changed', { email, name });
}
