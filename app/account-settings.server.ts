// auth: accounts
/** The settings of site accounts and their store, for `env.server.ts`. No refusal shows a value. */
import { fileURLToPath } from 'node:url';
import { parse } from 'pg-connection-string';
import { z } from 'zod';
import { problemOfHost } from '@gatehouse/server/origins';
import { atLeast } from '@gatehouse/frame';

/** A file path (not a directory), or a PostgreSQL URL: whatever `pg` accepts. */
export const databaseUrl = checkedBy((url) => {
  if (url.startsWith('file:')) return problemOfFile(url);
  return /^(postgres(ql)?|socket):/i.test(url)
    ? problemOfPostgres(url)
    : 'must be a file, such as file:data/site.db, or a PostgreSQL address, such as postgres://user:password@host:5432/site';
}).default('file:data/site.db');

export const smtpUrl = checkedBy((url) => {
  if (url === 'off') return null;
  if (/^smtps?:(?!\/\/)/i.test(url)) return withoutSlashes('smtps://user:password@mail.example');
  if (isCutShort(url)) return mustBeEncoded;
  const problem = problemOfHost(url);
  if (problem !== null) return problem;
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  return /^smtps?:$/.test(protocol) && hostname !== ''
    ? null
    : 'must be an smtp or smtps URL with a host, such as smtps://user:password@mail.example, or off';
});

const shortKey =
  'must have at least 32 characters, for example from openssl rand -base64 32, in each key that a comma separates';

/** Docker keeps the quotes of an --env-file, and they would count as characters. */
const quoted = /^(["']).*\1$/s;

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

export const mailFrom = z.email({
  error: 'must be an e-mail address without a name, such as no-reply@site.example',
});

/** @param problemOf returns why a value is refused, or null. */
function checkedBy(problemOf: (value: string) => string | null) {
  return z
    .string()
    .trim()
    .superRefine((value, context) => {
      const problem = problemOf(value);
      if (problem !== null) context.addIssue(problem);
    });
}

function problemOfFile(url: string): string | null {
  const path = url.slice('file:'.length);
  if (/^\/\/(?!\/)/.test(path))
    return 'must have one slash or three after file:, such as file:/data/site.db';
  if (/[:?#]/.test(path))
    return 'must have a path without “:”, “?” or “#” after file:, such as file:data/site.db';
  try {
    const decoded = path.startsWith('///') ? fileURLToPath(url) : path;
    return /(^|\/)\.{0,2}$/.test(decoded)
      ? 'must name a file, not a folder, such as file:data/site.db'
      : null;
  } catch {
    return 'must be percent-encoded after file:///: write % as %25';
  }
}

function problemOfPostgres(url: string): string | null {
  if (/^postgres(ql)?:(?!\/\/)/i.test(url)) {
    return withoutSlashes('postgres://user:password@host:5432/site');
  }
  if (isCutShort(url)) return mustBeEncoded;
  const problem = problemOfHost(url);
  if (problem !== null) return problem;
  try {
    parse(url);
    return null;
  } catch (error) {
    // `decodeURIComponent` throws it.
    if (error instanceof URIError) return mustBeEncoded;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_INVALID_URL')
      return 'must be a PostgreSQL address with one host, such as postgres://user:password@host:5432/site';
    return code === ''
      ? 'must name a certificate in sslrootcert for sslmode=verify-ca'
      : `names a certificate or key that cannot be read (${code})`;
  }
}

const withoutSlashes = (example: string) =>
  `must have two slashes after its scheme, such as ${example}`;

const mustBeEncoded =
  'has a character in its user name or password that must be percent-encoded: write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25';

/** Whether a character in the user name or password ends it: the rest is taken for a port or a path. */
function isCutShort(url: string): boolean {
  if (URL.canParse(url)) {
    const { pathname, searchParams, hash } = new URL(url);
    return [pathname, hash, ...searchParams.keys()].some((part) => part.includes('@'));
  }
  const [, credentials = ''] = /^\w+:\/\/(.*)@/s.exec(url) ?? [];
  return /[#/?]/.test(credentials);
}
