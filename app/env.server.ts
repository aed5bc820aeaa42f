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
  frameAncestors,
  host,
  internalUrl, // auth: platform
  origin,
  port,
  seconds,
  wholeNumber,
} from './setting-values.server';
import {
  hasAccounts, // auth: accounts
  hasPlatform, // auth: platform
} from './site.config';

const oneOf = <const T extends string[]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const settings = z
  .object({
    NODE_ENV: oneOf('development', 'production', 'test').default('production'),
    PORT: port.default(3000),
    HOST: host.default('0.0.0.0'),
    PLATFORM_INTERNAL_URL: internalUrl.optional(), // auth: platform
    SITE_ORIGIN: origin.optional(),
    PLATFORM_FRAME_ANCESTORS: frameAncestors.default(["'none'"]),
    LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
    MAX_CONNECTIONS: wholeNumber((number) => number.min(1, 'must be at least 1')).default(1_000),
    SHUTDOWN_DELAY_SECONDS: seconds(300).optional(),
    // auth: platform
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

export interface SiteEnv {
  mode: 'development' | 'production' | 'test';
  port: number;
  host: string;
  // auth: platform
  /** Base URL of the platform's internal API, without a trailing slash. Empty in the demo. */
  platformInternalUrl: string;
  // /auth
  /** The site's origin as visitors' browsers see it. */
  siteOrigin: string;
  /** CSP sources that may frame the site. */
  frameAncestors: readonly string[];
  logLevel: string;
  /** Maximum concurrent connections. Further ones are closed immediately. */
  maxConnections: number;
  /**
   * Seconds between SIGTERM and closing the listening socket, in which load balancers see `/readyz`
   * fail.
   */
  shutdownDelay: number;
  // auth: platform
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

/** A setting is missing or malformed. The message is one sentence that names it. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/**
 * @throws {SettingError} naming the first setting that is missing or malformed.
 */
export function parseSiteEnv(source: Source): SiteEnv {
  const value = parsed(settings, source);
  const siteOrigin = value.SITE_ORIGIN ?? `http://localhost:${value.PORT}`;
  return Object.freeze({
    mode: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST,
    platformInternalUrl: value.PLATFORM_INTERNAL_URL ?? '', // auth: platform
    siteOrigin,
    frameAncestors: value.PLATFORM_FRAME_ANCESTORS,
    logLevel: value.LOG_LEVEL ?? (value.NODE_ENV === 'development' ? 'warn' : 'info'),
    maxConnections: value.MAX_CONNECTIONS,
    shutdownDelay: value.SHUTDOWN_DELAY_SECONDS ?? (value.NODE_ENV === 'production' ? 5 : 0),
    offlineDemo: value.OFFLINE_DEMO, // auth: platform
    // auth: accounts
    databaseUrl: value.DATABASE_URL,
    authSecrets: value.AUTH_SECRET ?? [],
    smtpUrl: value.SMTP_URL === 'off' ? null : (value.SMTP_URL ?? null),
    mailFrom: value.MAIL_FROM ?? `no-reply@${new URL(siteOrigin).hostname}`,
    trustedProxies: value.TRUSTED_PROXIES,
    // /auth
  });
}

type Source = Record<string, string | undefined>;

function parsed<Value>(schema: z.ZodType<Value>, source: Source): Value {
  // An empty value counts as unset, because shells and .env files cannot tell the two apart.
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [name, problem] = firstProblem(result.error);
  // Docker keeps the quotes of an --env-file. If the value is valid without its quotes, the message names the quotes.
  const unquoted = /^(["'])(.*)\1$/s.exec(present[name] ?? '')?.[2];
  const retried =
    unquoted === undefined ? result : schema.safeParse({ ...present, [name]: unquoted });
  const isQuoted = retried.success || firstProblem(retried.error)[0] !== name;
  throw new SettingError(`${name} ${isQuoted ? 'must not be in quotes' : problem}.`);
}

function firstProblem({ issues: [issue] }: z.ZodError): [name: string, problem: string] {
  return [String(issue?.path[0] ?? 'setting'), issue?.message ?? 'is malformed'];
}

// auth: accounts
/**
 * `DATABASE_URL` alone: whoever restores a backup may have no other setting of the site.
 *
 * @throws {SettingError}
 */
export function storeAddress(source: Source = process.env): string {
  return parsed(z.object({ DATABASE_URL: databaseUrl(problemOfHost) }), source).DATABASE_URL;
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
