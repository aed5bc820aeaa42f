/** The setting that names a store's database, `DATABASE_URL`. No refusal shows its value. */
import { fileURLToPath } from 'node:url';
import { parse } from 'pg-connection-string';
import { z } from 'zod';

/** What is wrong with an address, as the rest of a sentence that begins with the setting's name; or null. */
export type ProblemOf = (address: string) => string | null;

/**
 * A file path (not a directory), or a PostgreSQL URL: whatever `pg` accepts.
 *
 * @param problemOfHost what is wrong with the host or the port of an address: `@gatehouse/server/origins` has it.
 */
function databaseUrl(problemOfHost: ProblemOf) {
  return checkedBy((url) => {
    if (url.startsWith('file:')) return problemOfFile(url);
    return /^(postgres(ql)?|socket):/i.test(url)
      ? problemOfPostgres(url, problemOfHost)
      : 'must be a file, such as file:data/site.db, or a PostgreSQL address, such as postgres://user:password@host:5432/site';
  }).default('file:data/site.db');
}

/**
 * The setting that names a site's database: `file:` and a path, or a PostgreSQL URL with its credentials.
 *
 * @param problemOfHost as of {@link databaseUrl}.
 */
export const databaseSetting = (problemOfHost: ProblemOf) => ({
  name: 'DATABASE_URL',
  schema: databaseUrl(problemOfHost),
  about:
    'The store, if the site has tables: `file:` and a path, or `postgres://user:password@host/database`, for a socket `postgres://user@/database?host=/var/run/postgresql`. In a password, here and in `SMTP_URL`, write `#` as `%23`, `/` as `%2F`, `?` as `%3F`, `@` as `%40` and `%` as `%25`.',
  example: 'file:data/site.db',
  isSecret: true as const,
});

export interface ServerUrlChecks {
  /** Those that need two slashes. */
  schemes: RegExp;
  /** A whole address. */
  example: string;
  problemOfHost: ProblemOf;
}

/** What is wrong with a server's address that has credentials, whatever its scheme. */
export function problemOfServerUrl(
  url: string,
  { schemes, example, problemOfHost }: ServerUrlChecks,
): string | null {
  if (schemes.test(url) && !/^\w+:\/\//.test(url)) {
    return `must have two slashes after its scheme, such as ${example}`;
  }
  return isCutShort(url) ? mustBeEncoded : problemOfHost(url);
}

/** The schema of a setting that such a function checks. */
export function checkedBy(problemOf: ProblemOf) {
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

function problemOfPostgres(url: string, problemOfHost: ProblemOf): string | null {
  const problem = problemOfServerUrl(url, {
    schemes: /^postgres(ql)?:/i,
    example: 'postgres://user:password@host:5432/site',
    problemOfHost,
  });
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
