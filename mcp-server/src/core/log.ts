/** The server's own log: JSON lines on stderr, since stdout is the protocol's (M22). */
import { destination, pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { redact, redactText } from './redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (message: string, data?: Readonly<Record<string, unknown>>) => void;

/** Secrets in `data` and in the message are redacted; an `Error` in `data` keeps its stack. */
export type Log = Readonly<Record<Exclude<LogLevel, 'silent'>, Write>>;

export interface LogOptions {
  readonly level: LogLevel;
  /** Where the lines go: stderr. A test gives its own. */
  readonly stream?: DestinationStream;
}

export function createLog({ level, stream = stderr() }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, stream);
  const at = (name: keyof Log): Write => {
    return (message, data) => {
      if (!logger.isLevelEnabled(name)) return;
      logger[name](data && { data: redact(data, { stack: true }) }, redactText(message));
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * Not synchronous: a parent that does not read its child's stderr would stop every call once the pipe
 * is full. What is over a megabyte is dropped instead; the rest is written before an exit.
 */
function stderr(): DestinationStream {
  return destination({ dest: 2, sync: false, maxLength: 1024 * 1024 });
}
