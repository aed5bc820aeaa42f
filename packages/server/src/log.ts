/** Logs one JSON line per request, and errors. No queries, cookies or personal names. */
import { pino } from 'pino';
import type { ServerSettings } from './site.ts';

/** {@link configureLog} sets the level. */
export const log = pino(
  { base: null, serializers: { err: describeError } },
  // Buffered: a write per line would cost more than most responses.
  pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1_000 }),
);

let hidden: NonNullable<ServerSettings['hiddenInLog']> = {};

export function configureLog({ logLevel, hiddenInLog = {} }: LogSettings): void {
  log.level = logLevel;
  hidden = hiddenInLog;
}

type LogSettings = Pick<ServerSettings, 'logLevel' | 'hiddenInLog'>;

/**
 * Serialises an error without the extra fields that libraries add, such as a socket's address or a decoded
 * URL. Hidden texts are replaced, and a connection error's message is replaced by its code.
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

/** The connection errors in an error's chain of causes: their messages contain the resolved host. */
function connectionErrors(error: unknown): ConnectionError[] {
  // A set, because a chain of causes may be circular.
  const chain = new Set<Error>();
  for (let cause = error; cause instanceof Error && !chain.has(cause); cause = cause.cause)
    chain.add(cause);
  return [...chain].filter((link): link is ConnectionError => {
    const { code, syscall } = link as Partial<ConnectionError>;
    if (link.message === '' || typeof code !== 'string') return false;
    return syscall === 'connect' || syscall === 'getaddrinfo' || code.startsWith('ERR_TLS');
  });
}
