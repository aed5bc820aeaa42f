/** What site accounts need: their store, their keys and their mail. */
import { authSecret, mailFrom, smtpUrl } from '@gatehouse/accounts/settings';
import { problemOfHost } from '@gatehouse/server/origins';
import { wholeNumber, type Setting, type Settings } from '@gatehouse/server/settings';
import { databaseUrl } from '@gatehouse/store/settings';

const requiredInProduction =
  (what: string): NonNullable<Setting['problem']> =>
  (value, { mode }) =>
    mode === 'production' && value === undefined ? `is required: ${what}` : null;

export default {
  /** `file:` and a path, or a PostgreSQL URL with its credentials. */
  databaseUrl: {
    name: 'DATABASE_URL',
    schema: databaseUrl(problemOfHost),
    about:
      'The store, if the site has tables: `file:` and a path, or `postgres://user:password@host/database`, for a socket `postgres://user@/database?host=/var/run/postgresql`. In a password, here and in `SMTP_URL`, write `#` as `%23`, `/` as `%2F`, `?` as `%3F`, `@` as `%40` and `%` as `%25`.',
    example: 'file:data/site.db',
    isSecret: true,
  },
  /** The current key, then the previous one. None in development. */
  authSecrets: {
    name: 'AUTH_SECRET',
    schema: authSecret.optional(),
    about:
      'The key that signs the cookies and links of site accounts: 32 characters or more, such as `openssl rand -base64 32` prints. To rotate it, set the new key, a comma and the old key; remove the old key after thirty days.',
    example: '',
    usually: 'required',
    isSecret: true,
    problem: requiredInProduction('the key that signs the cookies and links of accounts'),
    fallback: () => [],
  },
  /** Null if mail is off, or not configured in development. */
  smtpUrl: {
    name: 'SMTP_URL',
    schema: smtpUrl(problemOfHost)
      .transform((url) => (url === 'off' ? null : url))
      .optional(),
    about:
      'The server that sends mail to site accounts, such as `smtps://user:password@mail.example`, or `off`. Without mail, addresses are not confirmed and a forgotten password cannot be reset.',
    example: 'smtps://user:password@mail.example',
    usually: 'required',
    isSecret: true,
    problem: requiredInProduction('the mail server for account mail, or off'),
    fallback: () => null,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    schema: mailFrom.optional(),
    about: 'The sender of that mail.',
    example: 'no-reply@site.example',
    usually: '`no-reply@` the site’s host',
    fallback: ({ siteOrigin }) => `no-reply@${new URL(siteOrigin).hostname}`,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    schema: wholeNumber((number) =>
      number.min(0, 'must not be negative').max(10, 'must be at most 10'),
    ).default(0),
    about:
      'How many proxies in front of the site append to `x-forwarded-for`. Sign-in is rate-limited by the resulting address, an IPv6 one by its /64, and an IPv4 one as such however IPv6 writes it (mapped, NAT64, 6to4); addresses of private and shared networks are not limited.',
    example: '0',
  },
} as const satisfies Settings;
