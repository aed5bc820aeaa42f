/** Writing that is broken off, and what it must not write over. */
import * as files from 'node:fs/promises';
import { chmod, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  edited,
  lines,
  releaseFrom,
  second,
  siteOf,
  text,
  textsOf,
  updated,
} from '../test-releases.ts';
import type { TestRepository } from '../test-repository.ts';
import { finishWriting } from './steps.ts';

vi.mock('node:fs/promises', { spy: true });

/** Breaks an update off at a step: nothing that comes after it happens. @returns whether it was done before. */
async function brokenOff(site: TestRepository, steps: number): Promise<boolean> {
  const real = await vi.importActual<typeof files>('node:fs/promises');
  let left = steps;
  for (const name of [
    'chmod',
    'copyFile',
    'mkdir',
    'rename',
    'rm',
    'rmdir',
    'writeFile',
  ] as const) {
    const act = real[name] as (...args: unknown[]) => Promise<never>;
    const step = (...args: unknown[]) => {
      if (!args.some((place) => String(place).startsWith(site.folder))) return act(...args);
      left -= 1;
      return left < 0 ? Promise.reject(new Error('No more.')) : act(...args);
    };
    vi.mocked(files[name]).mockImplementation(step as never);
  }
  try {
    await updated(site);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/Nothing was changed: No more|broken off: No more/);
    return false;
  } finally {
    // The spies call what they spy on again.
    vi.resetAllMocks();
  }
}

test('broken off at any step, it leaves the old site, or one that the next run makes the new one', async () => {
  const expected = await textsOf(releaseFrom(second));
  let finished = 0;
  for (let steps = 0, isDone = false; !isDone; steps += 1) {
    const site = await siteOf();
    const before = await site.files();
    isDone = await brokenOff(site, steps);
    const isFinished = (await finishWriting(site.folder)) !== null;
    if (isFinished) finished += 1;
    const isNew = isDone || isFinished;
    expect(withoutStaging(await site.files())).toEqual(isNew ? expected : before);
  }
  expect(finished).toBeGreaterThan(20);
}, 60_000);

test('broken off at any step and undone by git, it is the old site, and the next run makes it the new one', async () => {
  const expected = await textsOf(releaseFrom(second));
  for (let steps = 0, isDone = false; !isDone; steps += 5) {
    const site = await siteOf();
    const before = await site.files();
    isDone = await brokenOff(site, steps);
    await site.undo();
    expect(withoutStaging(await site.files())).toEqual(before);
    expect(await finishWriting(site.folder)).toBeNull();
    await updated(site);
    expect(withoutStaging(await site.files())).toEqual(expected);
  }
}, 60_000);

test('a file that is edited after a run was broken off is not overwritten by the next one', async () => {
  const site = await siteOf();
  const { rename: real } = await vi.importActual<typeof files>('node:fs/promises');
  vi.mocked(files.rename).mockImplementation((from, to) =>
    String(to).endsWith('page.tsx') ? Promise.reject(new Error('No more.')) : real(from, to),
  );
  await expect(updated(site)).rejects.toThrow('broken off: No more.');
  vi.resetAllMocks();
  await site.write('app/page.tsx', 'mine\n');
  await expect(finishWriting(site.folder)).rejects.toThrow('app/page.tsx was edited after');
  expect(await site.read('app/page.tsx')).toBe('mine\n');
});

test('the run that finishes another one prints that one’s report', async () => {
  const site = await siteOf();
  await edited(site, { 'app/page.tsx': text('mine', ...lines.slice(1)) });
  vi.mocked(files.copyFile).mockRejectedValueOnce(new Error('No more.'));
  await expect(updated(site)).rejects.toThrow('broken off');
  const report = expect.stringMatching(/Conflict +app\/page\.tsx/) as string;
  expect(await finishWriting(site.folder)).toMatchObject({ report, isComplete: false });
});

test('a run of a program that lists its steps otherwise is not finished by this one', async () => {
  const site = await siteOf();
  await site.write('.cache/gatehouse/steps.json', '{ "format": 2 }');
  await expect(finishWriting(site.folder)).rejects.toThrow('A run of another release');
});

test('two at once: one is refused', async () => {
  const site = await siteOf();
  const runs = await Promise.allSettled([updated(site), updated(site)]);
  const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as Error] : []));
  expect(failed.map(({ name }) => name)).toEqual(failed.map(() => 'Refusal'));
  expect(failed.length).toBeLessThan(2);
  expect(withoutStaging(await site.files())).toEqual(await textsOf(releaseFrom(second)));
});

test('links are left alone, and nothing is written through one', async () => {
  const site = await siteOf();
  await rm(path.join(site.folder, 'app/page.tsx'));
  await files.symlink('left.tsx', path.join(site.folder, 'app/page.tsx'));
  await site.commit();
  const { report } = await updated(site);
  expect(report).toContain('app/page.tsx: deleted here');
  expect(await files.readlink(path.join(site.folder, 'app/page.tsx'))).toBe('left.tsx');

  const other = await siteOf();
  await files.symlink(os.tmpdir(), path.join(other.folder, 'app/linked'));
  await other.commit();
  const to = { ...second, 'app/linked/new.ts': 'export {};\n' };
  await expect(updated(other, { to })).rejects.toThrow('app/linked is no folder of this site');
  await expect(updated(other, { to, isDry: true })).rejects.toThrow('app/linked is no folder');
});

test('a file keeps its mode, its encoding and its line endings', async () => {
  const site = await siteOf();
  const ended = text(...lines, 'caf\u00e9').replaceAll('\n', '\r\n');
  await files.writeFile(path.join(site.folder, 'app/page.tsx'), ended, 'latin1');
  await chmod(path.join(site.folder, 'app/page.tsx'), 0o755);
  await site.commit();
  const { isComplete } = await updated(site);
  expect(isComplete).toBe(true);
  const expected = ended.replace('one', 'first');
  expect(await files.readFile(path.join(site.folder, 'app/page.tsx'), 'latin1')).toBe(expected);
  expect((await stat(path.join(site.folder, 'app/page.tsx'))).mode & 0o777).toBe(0o755);
});

function withoutStaging(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([file]) => !file.startsWith('.cache/')));
}
