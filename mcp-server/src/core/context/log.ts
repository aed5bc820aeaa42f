/** The server's own log: JSON lines on stderr, since stdout is the protocol's (M22). */
import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { redact, redactText } from './redact.ts';

/** pino's, so that one `LOG_LEVEL` serves this program and its neighbours. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (message: string, data?: Readonly<Record<string, unknown>>) => void;

/** Secrets in `data` and in the message are redacted; an `Error` in `data` keeps its stack. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', Write>>;

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

const mostWaiting = 1024 * 1024;

/**
 * The process's own stream, and not pino's: a parent that does not read its child's stderr would keep
 * pino's from ever ending once the pipe is full. What waits beyond a megabyte is dropped.
 */
function stderr(): DestinationStream {
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return {
    write(line) {
      if (stderr.writableLength < mostWaiting) stderr.write(line);
    },
  };
}

/** Nobody reads the log any more. The transport sees by itself whether its caller is gone too. */
function ignore(): void {
  // Nothing is left to tell it to.
}
