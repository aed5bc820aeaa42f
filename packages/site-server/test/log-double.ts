/**
 * The log, kept for a test to read. A test file takes it in place of the real one:
 * `vi.mock('site-server/log', () => import('site-server/test/log-double'))`.
 */
import { pino } from 'pino';

/** As they are written: one JSON text each. */
export const lines: string[] = [];

export const log = pino(
  { base: null, level: 'debug' },
  { write: (line: string) => void lines.push(line) },
);

export const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

export const configureLog = () => undefined;
