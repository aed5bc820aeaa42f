/** When regular work is done next. */
import { expect, test } from 'vitest';
import { nextTime } from './next-time.ts';

test.each([
  ['minute', '2026-11-29T23:59:30.500Z', '2026-11-30T00:00:00.000Z'],
  ['hour', '2026-11-29T10:00:00.000Z', '2026-11-29T11:00:00.000Z'],
  ['hour', '2026-11-29T10:59:59.999Z', '2026-11-29T11:00:00.000Z'],
  ['day', '2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  // In Central Europe a day of 25 hours.
  ['day', '2026-10-24T22:30:00.000Z', '2026-10-25T00:00:00.000Z'],
  // A Sunday, and a Monday.
  ['week', '2026-11-29T10:00:00.000Z', '2026-11-30T00:00:00.000Z'],
  ['week', '2026-11-30T00:00:00.000Z', '2026-12-07T00:00:00.000Z'],
] as const)('the next %s after %s begins at %s', (every, after, next) => {
  expect(nextTime(every, new Date(after)).toISOString()).toBe(next);
});
