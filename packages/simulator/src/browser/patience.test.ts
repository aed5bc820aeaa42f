/** A flow's time grows with its steps, and a hang still ends it. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { testSettings } from '../programs/env.ts';

const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
const config = fileURLToPath(new URL('../../test/journeys/journeys.config.ts', import.meta.url));

afterEach(() => {
  vi.unstubAllEnvs();
});

test('tests and expectations have three times as long on a machine that is three times as slow', async () => {
  const limits = async () => {
    vi.resetModules();
    const { browserTests } = await import('./config.ts');
    return [browserTests.timeout, browserTests.expect.timeout];
  };
  vi.stubEnv('MACHINE_SLOWNESS', undefined);
  const usual = await limits();
  vi.stubEnv('MACHINE_SLOWNESS', '3');
  expect(await limits()).toEqual(usual.map((limit) => limit * 3));
});

test('the global setup measures the machine', async () => {
  vi.stubEnv('MACHINE_SLOWNESS', undefined);
  const { default: setUp } = await import('./browser-is-found.ts');
  await setUp();
  expect(testSettings().slowness).toBeGreaterThanOrEqual(1);
}, 120_000);

test('a long journey is not cut, and a hang ends', async () => {
  const report = await new Promise<string>((resolve) => {
    // It exits with 1, because the hang fails.
    execFile(process.execPath, [cli, 'test', '--config', config], (_error, stdout) => {
      resolve(stdout);
    });
  });
  const { suites } = JSON.parse(report) as {
    suites: { specs: { title: string; tests: { results: { status: string }[] }[] }[] }[];
  };
  const outcomes = suites
    .flatMap(({ specs }) => specs)
    .map(({ title, tests }) => [title, tests[0]?.results[0]?.status]);
  expect(outcomes).toEqual([
    ['a journey of 25 steps', 'passed'],
    ['a hang', 'timedOut'],
  ]);
}, 300_000);
