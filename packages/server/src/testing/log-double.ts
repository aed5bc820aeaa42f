/**
 * A log double for tests to read. Use it with `vi.mock('@gatehouse/server/log', () =>
 * import('@gatehouse/server/testing/log-double'))`.
 */
import { pino } from 'pino';

/** The lines written, each a JSON text. */
export const lines: string[] = [];

export const log = pino(
  { base: null, level: 'debug' },
  { write: (line: string) => void lines.push(line) },
);

export const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

export const configureLog = () => undefined;
