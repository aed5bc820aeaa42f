import { beforeEach, expect, test, vi } from 'vitest';
import { Progress, type ProgressReport } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function recorded(): { sent: ProgressReport[]; progress: Progress } {
  const sent: ProgressReport[] = [];
  return { sent, progress: new Progress((report) => void sent.push(report)) };
}

test('[M21] a report has its progress, its message and its total', async () => {
  const { sent, progress } = recorded();
  await progress.report(1, 'Reading', 10);
  expect(sent).toEqual([{ progress: 1, message: 'Reading', total: 10 }]);
});

test('[M21] only increasing progress is sent', async () => {
  const { sent, progress } = recorded();
  for (const done of [1, 1, 0, -5, NaN, Infinity, -Infinity]) {
    await progress.report(done);
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(sent).toEqual([{ progress: 1 }]);
});

test('[M21] the first report of 0 is sent although a mention came before it', async () => {
  const { sent, progress } = recorded();
  await progress.mention('Waiting');
  await progress.report(0, 'Beginning', 4);
  await vi.advanceTimersByTimeAsync(250);
  await progress.report(0, 'Again', 4);
  await progress.report(1, 'One', 4);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent.map(({ message }) => message)).toEqual(['Waiting', 'Beginning', 'One']);
  expect(sent.map(({ progress: done }) => Math.round(done))).toEqual([0, 0, 1]);
  const [first, second] = sent.map(({ progress: done }) => done);
  expect(second).toBeGreaterThan(first ?? NaN);
});

test('[M21] an impossible total is omitted', async () => {
  const { sent, progress } = recorded();
  for (const [done, total] of [
    [5, 4],
    [6, NaN],
    [7, Infinity],
    [8, 8],
  ] as const) {
    await progress.report(done, undefined, total);
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(sent).toEqual([
    { progress: 5 },
    { progress: 6 },
    { progress: 7 },
    { progress: 8, total: 8 },
  ]);
});

test('[M21] a waiting call reports every 15 seconds, with increments smaller than the tool’s own', async () => {
  const { sent, progress } = recorded();
  const first = progress.keepAlive('Waiting');
  await vi.advanceTimersByTimeAsync(30_000);
  first();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(2);
  await progress.report(4, 'Working', 5);
  const second = progress.keepAlive('Waiting');
  await vi.advanceTimersByTimeAsync(15_000);
  second();
  await progress.report(5, 'Done', 5);
  await vi.advanceTimersByTimeAsync(250);
  expect(sent.map(({ message }) => message)).toEqual([
    ...['Waiting', 'Waiting', 'Working', 'Waiting', 'Done'],
  ]);
  const steps = sent.map((report) => report.progress);
  expect(steps).toEqual([...new Set(steps)].sort((step, other) => step - other));
  expect(steps[3]).toBeLessThan(4.001);
});

test('[M21] frequent reports are reduced to the latest one every 250 ms', async () => {
  const { sent, progress } = recorded();
  for (let done = 1; done <= 1000; done += 1) {
    await progress.report(done);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(sent.map((step) => step.progress)).toEqual([1, 250, 500, 750, 1000]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(5);
});

test('[M21] the last report is sent before the result, and none after it', async () => {
  const { sent, progress } = recorded();
  await progress.report(1);
  await progress.report(2);
  await progress.report(3, 'Done');
  await progress.finish();
  expect(sent).toEqual([{ progress: 1 }, { progress: 3, message: 'Done' }]);
  await progress.report(4);
  await progress.finish();
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('[M21] a call does not fail if its progress cannot be sent', async () => {
  const send = vi.fn(() => Promise.reject(new Error('not connected')));
  const progress = new Progress(send);
  await progress.report(1);
  await progress.report(2);
  await vi.advanceTimersByTimeAsync(250);
  await progress.report(3);
  await progress.finish();
  expect(send).toHaveBeenCalledTimes(3);
});
