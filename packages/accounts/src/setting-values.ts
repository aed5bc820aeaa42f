/** The settings of site accounts, for the schema of a site's settings. No refusal shows a value. */
import { z } from 'zod';
import { atLeast } from '@gatehouse/frame';
import { checkedBy, problemOfServerUrl, type ProblemOf } from '@gatehouse/store/settings';

/**
 * `SMTP_URL`: the mail server, or off.
 *
 * @param problemOfHost what is wrong with the host or the port of an address: `@gatehouse/server/origins` has it.
 */
function smtpUrl(problemOfHost: ProblemOf) {
  return checkedBy((url) => {
    if (url === 'off') return null;
    const example = 'smtps://user:password@mail.example';
    const problem = problemOfServerUrl(url, { schemes: /^smtps?:/i, example, problemOfHost });
    if (problem !== null) return problem;
    const { protocol, hostname } = URL.canParse(url)
      ? new URL(url)
      : { protocol: '', hostname: '' };
    return /^smtps?:$/.test(protocol) && hostname !== ''
      ? null
      : `must be an smtp or smtps URL with a host, such as ${example}, or off`;
  });
}

const shortKey =
  'must have at least 32 characters, for example from openssl rand -base64 32, in each key that a comma separates';

/** Docker keeps the quotes of an --env-file, and they would count as characters. */
const quoted = /^(["']).*\1$/s;

/** `AUTH_SECRET`: the current key, then the previous one. */
const authSecret = z
  .string()
  .trim()
  .refine((value) => !quoted.test(value), { error: 'must not be in quotes', abort: true })
  // A list without a previous key may end in a comma.
  .transform((value) => value.split(',').flatMap((key) => key.trim() || []))
  .pipe(
    z
      .array(
        z
          .string()
          .refine((key) => !quoted.test(key), { error: 'must not be in quotes', abort: true })
          .check(atLeast(32, shortKey)),
      )
      .min(1, { error: shortKey })
      .max(2, { error: 'must be one key, or the new and the previous key, separated by a comma' }),
  );

/** `MAIL_FROM`. */
const mailFrom = z.email({
  error: 'must be an e-mail address without a name, such as no-reply@site.example',
});

/** Of an unset value in production. */
const requiredInProduction =
  (what: string) =>
  (value: unknown, { mode }: Readonly<Record<string, unknown>>): string | null =>
    mode === 'production' && value === undefined ? `is required: ${what}` : null;

/**
 * The settings of site accounts, for `app/settings.server.ts`.
 *
 * @param problemOfHost what is wrong with the host or the port of an address: `@gatehouse/server/origins` has it.
 */
export const accountSettings = (problemOfHost: ProblemOf) => ({
  /** The current key, then the previous one. None in development. */
  authSecrets: {
    name: 'AUTH_SECRET',
    schema: authSecret.optional(),
    about:
      'The key that signs the cookies and links of site accounts: 32 characters or more, such as `openssl rand -base64 32` prints. To rotate it, set the new key, a comma and the old key; remove the old key after thirty days.',
    example: '',
    usually: 'required',
    isSecret: true as const,
    problem: requiredInProduction('the key that signs the cookies and links of accounts'),
    fallback: (): string[] => [],
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
    isSecret: true as const,
    problem: requiredInProduction('the mail server for account mail, or off'),
    fallback: () => null,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    schema: mailFrom.optional(),
    about: 'The sender of that mail.',
    example: 'no-reply@site.example',
    usually: '`no-reply@` the site’s host',
    fallback: ({ siteOrigin }: { siteOrigin: string }) =>
      `no-reply@${new URL(siteOrigin).hostname}`,
  },
});
