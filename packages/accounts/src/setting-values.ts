/** The settings of site accounts, for the schema of a site's settings. No refusal shows a value. */
import { z } from 'zod';
import { atLeast } from '@gatehouse/frame';
import { checkedBy, problemOfServerUrl, type ProblemOf } from '@gatehouse/store/settings';

/**
 * `SMTP_URL`: the mail server, or off.
 *
 * @param problemOfHost what is wrong with the host or the port of an address: `@gatehouse/server/origins` has it.
 */
export function smtpUrl(problemOfHost: ProblemOf) {
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
export const authSecret = z
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
export const mailFrom = z.email({
  error: 'must be an e-mail address without a name, such as no-reply@site.example',
});
