/** The server's log: JSON lines on stderr, because stdout carries the protocol (M22). */
import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { escapedSeparators } from '../result/format.ts';
import { redact, redactText } from './redact.ts';

/** pino's level names, so that one `LOG_LEVEL` also configures other programs that use pino. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type Write = (message: string, data?: Readonly<Record<string, unknown>>) => void;

/** Redacts secrets in the message and in `data`. An `Error` in `data` keeps its stack. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', Write>>;

export interface LogOptions {
  readonly level: LogLevel;
  /** Default: stderr. Tests pass their own. */
  readonly stream?: DestinationStream;
}

export function createLog({ level, stream = toStderr() }: LogOptions): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, {
    write(line) {
      stream.write(escapedSeparators(line));
    },
  });
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
 * Writes to `process.stderr` instead of pino's own destination: if the parent process does not read the pipe,
 * pino's destination blocks the exit once the pipe is full. Drops lines while more than 1 MiB is buffered.
 */
function toStderr(): DestinationStream {
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return {
    write(line) {
      if (stderr.writableLength < mostWaiting) stderr.write(line);
    },
  };
}

/**
 * Handles an error of stderr, which means that the log's reader is gone. The transport detects separately whether
 * its client is gone.
 */
function ignore(): void {
  // The error cannot be logged, because the log itself is gone.
}
