import { expect, test } from 'vitest';
import {
  UpstreamConnectionError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from '../../result/errors.ts';
import { waitBeforeRetry } from './retry.ts';

const now = Date.parse('2026-11-21T13:30:00Z');
const after = (status: number, header?: string) =>
  waitBeforeRetry(new UpstreamStatusError(status, header), 1, 0, now);

test('Retry-After is seconds or a date, and a past date is 0', () => {
  expect(after(429, '0')).toBe(0);
  expect(after(503, '120')).toBe(120_000);
  expect(after(429, 'Sat, 21 Nov 2026 13:30:05 GMT')).toBe(5_000);
  expect(after(429, 'Saturday, 21-Nov-26 13:30:05 GMT')).toBe(5_000);
  expect(after(429, 'Sat, 21 Nov 2020 13:30:05 GMT')).toBe(0);
});

test.each([
  undefined,
  '',
  '-1',
  '1.5',
  '1e9',
  '2026-11-21',
  'soon',
  'Sat, 99 Nov 2026 13:30:05 GMT',
])('an invalid Retry-After is ignored: %j', (header) => {
  expect(after(429, header)).toBeUndefined();
});

test('other failures are final', () => {
  expect(after(500, '1')).toBeUndefined();
  expect(waitBeforeRetry(new UpstreamTimeoutError(), 1)).toBeUndefined();
  const reset = new UpstreamConnectionError('', { cause: 'ECONNRESET' });
  expect(waitBeforeRetry(reset, 1)).toBeUndefined();
});

test('the jitter grows with each attempt, and is only added', () => {
  const refused = new UpstreamConnectionError('', { cause: 'ECONNREFUSED' });
  expect([1, 2, 3].map((attempt) => waitBeforeRetry(refused, attempt, 1))).toEqual([200, 300, 500]);
  const busy = new UpstreamStatusError(503, '1');
  expect([1, 2].map((attempt) => waitBeforeRetry(busy, attempt, 1))).toEqual([1_100, 1_200]);
});
