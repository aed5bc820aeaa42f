import { expect, test } from 'vitest';
import { Pace } from './pace.ts';

const raw = (headers: Record<string, string>) =>
  Object.entries(headers).flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);

test('without a limit every call starts at once, until the service responds otherwise', () => {
  const pace = new Pace();
  expect([pace.take('a', 99, 0), pace.take('a', 99, 0)]).toEqual([0, 0]);
  pace.pause('a', 50, 0);
  expect([pace.take('a', 99, 10), pace.take('b', 99, 10), pace.take('a', 99, 50)]).toEqual([
    40, 0, 0,
  ]);
  expect(pace.take('a', 99, 51)).toBe(0);
});

test('a limit allows a burst, and spreads further requests', () => {
  const pace = new Pace({ requests: 3, seconds: 3 });
  const waits = Array.from({ length: 5 }, () => pace.take('a', 60_000, 0));
  expect(waits).toEqual([0, 0, 0, 1_000, 2_000]);
  expect(pace.take('b', 60_000, 0)).toBe(0);
  // Never more than three in any three seconds, and the full burst after a rest.
  expect(pace.take('a', 60_000, 10_000)).toBe(0);
});

test('a call that cannot wait so long takes no turn', () => {
  const pace = new Pace({ requests: 1, seconds: 1 });
  pace.take('a', 60_000, 0);
  expect(pace.take('a', 500, 0)).toBe(1_000);
  expect(pace.take('a', 60_000, 0)).toBe(1_000);
});

test('after a pause, calls are spaced evenly if the limit is known', () => {
  const pace = new Pace({ requests: 2, seconds: 2 });
  pace.pause('a', 5_000, 0);
  expect([pace.take('a', 60_000, 0), pace.take('a', 60_000, 0)]).toEqual([5_000, 6_000]);
});

test('a shorter pause does not replace a longer one, and none exceeds ten minutes', () => {
  const pace = new Pace();
  pace.pause('a', 1e9, 0);
  pace.pause('a', 5, 0);
  expect(pace.take('a', 0, 0)).toBe(600_000);
});

test.each([
  ['seconds', '30', 30_000],
  ['Unix time', '1800000030', 30_000],
  ['a time that is past', '1799999999', 0],
  ['nothing', '', 0],
  ['words', 'soon', 0],
])('an invalid header is ignored, and a reset time is respected: %s', (_, reset, wait) => {
  const pace = new Pace({ headers: { remaining: 'X-Remaining', reset: 'X-Reset' } });
  pace.learn('a', raw({ 'x-remaining': '1', 'x-reset': '99' }), 0);
  expect(pace.take('a', 0)).toBe(0);
  pace.learn('a', raw({ 'x-remaining': '0', 'x-reset': reset }), 1_800_000_000_000);
  expect(Math.ceil(pace.take('a', 0) / 1_000) * 1_000).toBe(wait);
});

test('memory is bounded', () => {
  const pace = new Pace();
  for (let number = 0; number <= 1_000; number += 1) pace.pause(`c${number}`, 1_000, 0);
  expect([pace.take('c0', 0, 0), pace.take('c1000', 0, 0)]).toEqual([0, 1_000]);
});
