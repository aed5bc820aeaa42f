/** Logs: one JSON line a request, and what went wrong. No query, no cookie, no name of a person. */
import { pino } from 'pino';
import type { ServerSettings } from './site';

/** The level is set by {@link configureLog}. */
export const log = pino(
  { base: null, serializers: { err: describeError } },
  // Lines are gathered and written together: a write for each would cost more than most answers do.
  pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
);

let hidden: NonNullable<ServerSettings['hiddenInLog']> = {};

export function configureLog({ logLevel, hiddenInLog = {} }: LogSettings): void {
  log.level = logLevel;
  hidden = hiddenInLog;
}

type LogSettings = Pick<ServerSettings, 'logLevel' | 'hiddenInLog'>;

/**
 * An error without the extra fields that libraries add, such as a socket's address or a decoded URL. What is hidden
 * is replaced in its text, and a failed connection's text by its code.
 */
export function describeError(error: unknown): Record<string, string> {
  const { type, message, stack } = pino.stdSerializers.err(
    error instanceof Error ? error : new Error(String(error)),
  );
  const { code } = (error ?? {}) as { code?: unknown };
  const clean = (text: string) => {
    const coded = connectionErrors(error).reduce(
      (words, { message, code }) => words.replaceAll(message, code),
      text,
    );
    return Object.entries(hidden).reduce(
      (words, [secret, instead]) => words.replaceAll(secret, instead),
      coded,
    );
  };
  return {
    type,
    ...(typeof code === 'string' && { code }),
    message: clean(message),
    stack: clean(stack),
  };
}

type ConnectionError = Error & { code: string; syscall?: unknown };

/** The connection errors among an error and its causes: their text names a host as it was resolved. */
function connectionErrors(error: unknown): ConnectionError[] {
  // A set, since a cause may lead back to its error.
  const chain = new Set<Error>();
  for (let one = error; one instanceof Error && !chain.has(one); one = one.cause) chain.add(one);
  return [...chain].filter((one): one is ConnectionError => {
    const { code, syscall } = one as Partial<ConnectionError>;
    if (one.message === '' || typeof code !== 'string') return false;
    return syscall === 'connect' || syscall === 'getaddrinfo' || code.startsWith('ERR_TLS');
  });
}
