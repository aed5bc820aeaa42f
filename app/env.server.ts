/**
 * The site's settings: read once, validated and frozen. The only reader of `process.env` under
 * `app/`.
 */
import { z } from 'zod';
// auth: accounts
import { authSecret, mailFrom, smtpUrl } from '@gatehouse/accounts/settings';
import { problemOfHost } from '@gatehouse/server/origins';
import { databaseUrl } from '@gatehouse/store/settings';
// /auth
import {
  internalUrl, // auth: platform
  oneOf, // auth: platform
  readSettings,
  serverSettings,
  serverVariables,
  wholeNumber, // auth: accounts
} from '@gatehouse/server/settings';
import {
  hasAccounts, // auth: accounts
  hasPlatform, // auth: platform
} from './site.config';

const settings = z
  .object({
    ...serverVariables,
    // auth: platform
    PLATFORM_INTERNAL_URL: internalUrl.optional(),
    OFFLINE_DEMO: oneOf('0', '1')
      .default('0')
      .transform((value) => value === '1'),
    // /auth
    // auth: accounts
    DATABASE_URL: databaseUrl(problemOfHost),
    AUTH_SECRET: authSecret.optional(),
    SMTP_URL: smtpUrl(problemOfHost).optional(),
    MAIL_FROM: mailFrom.optional(),
    TRUSTED_PROXIES: wholeNumber((number) =>
      number.min(0, 'must not be negative').max(10, 'must be at most 10'),
    ).default(0),
    // /auth
  })
  // auth: platform
  .superRefine((value, context) => {
    if (!hasPlatform) return;
    // The demo never calls the platform (W31), so it must not have its address.
    if (value.OFFLINE_DEMO === (value.PLATFORM_INTERNAL_URL !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['PLATFORM_INTERNAL_URL'],
        message: value.OFFLINE_DEMO
          ? 'must not be set together with OFFLINE_DEMO=1'
          : 'is required: the address the platform gives this site for GET /user',
      });
    }
  })
  // /auth
  // auth: accounts
  .superRefine((value, context) => {
    if (!hasAccounts || value.NODE_ENV !== 'production') return;
    const required = (name: 'AUTH_SECRET' | 'SMTP_URL', what: string) => {
      if (value[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: `is required: ${what}` });
    };
    required('AUTH_SECRET', 'the key that signs the cookies and links of accounts');
    required('SMTP_URL', 'the mail server for account mail, or off');
  });
// /auth

export interface SiteEnv extends ReturnType<typeof serverSettings> {
  // auth: platform
  /** Base URL of the platform's internal API, without a trailing slash. Empty in the demo. */
  platformInternalUrl: string;
  /** W31: memory adapters and no internal calls. */
  offlineDemo: boolean;
  // /auth
  // auth: accounts
  /** The database: `file:` and a path, or a PostgreSQL URL with its credentials. */
  databaseUrl: string;
  /**
   * Secrets that sign the cookies and links of accounts: the current one, then the previous one.
   * Empty in development.
   */
  authSecrets: readonly string[];
  /** The mail server. Null if mail is off, or not configured in development. */
  smtpUrl: string | null;
  /** The sender address of mail. */
  mailFrom: string;
  /** How many trusted proxies append to `x-forwarded-for`; 0 ignores the header. */
  trustedProxies: number;
  // /auth
}

/**
 * @throws {SettingError} naming the first setting that is missing or malformed.
 */
export function parseSiteEnv(source: Source): SiteEnv {
  const value = readSettings(settings, source);
  const server = serverSettings(value);
  return Object.freeze({
    ...server,
    // auth: platform
    platformInternalUrl: value.PLATFORM_INTERNAL_URL ?? '',
    offlineDemo: value.OFFLINE_DEMO,
    // /auth
    // auth: accounts
    databaseUrl: value.DATABASE_URL,
    authSecrets: value.AUTH_SECRET ?? [],
    smtpUrl: value.SMTP_URL === 'off' ? null : (value.SMTP_URL ?? null),
    mailFrom: value.MAIL_FROM ?? `no-reply@${new URL(server.siteOrigin).hostname}`,
    trustedProxies: value.TRUSTED_PROXIES,
    // /auth
  });
}

type Source = Record<string, string | undefined>;

// auth: accounts
/**
 * `DATABASE_URL` alone: whoever restores a backup may have no other setting of the site.
 *
 * @throws {SettingError}
 */
export function storeAddress(source: Source = process.env): string {
  const variables = z.object({ DATABASE_URL: databaseUrl(problemOfHost) });
  return readSettings(variables, source).DATABASE_URL;
}
// /auth

let current: SiteEnv | undefined;

/**
 * This process's settings. Parsed on the first call, which the server makes before it listens.
 *
 * @throws {SettingError} on the first call only.
 */
export function siteEnv(): SiteEnv {
  if (!current) {
    current = parseSiteEnv(process.env);
    // Libraries read it too, and would otherwise run in development mode.
    process.env['NODE_ENV'] = current.mode;
  }
  return current;
}
