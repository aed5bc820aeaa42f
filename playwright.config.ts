/** End-to-end tests: each project is one mode of the browser. */
import { defineConfig, type ReporterDescription } from '@playwright/test';
import type { BrowserMode } from './e2e/browser-modes';

/** Path of a JSON report to write beside the list, for a machine to read. */
const report = process.env['E2E_JSON_REPORT'];
const reporters: ReporterDescription[] = [
  ['list'],
  ...(report ? [['json', { outputFile: report }] satisfies ReporterDescription] : []),
];

/** The flow runs in every mode; all else in the mode that most visitors have. */
const flow = /\/(flow|modes|native-download)\.spec\.ts$/;

export default defineConfig<object, { mode: BrowserMode }>({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  testIgnore: 'development.spec.ts',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // For a machine that is busy with other things: a test that goes well waits for none of these.
  timeout: 90_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 20_000 },
  reporter: reporters,
  // A trace of each test would cost more than the test: ask for one with `--trace on`.
  use: { screenshot: 'only-on-failure', trace: 'off' },
  projects: [
    {
      name: 'blocked-partitioned',
      use: { mode: { thirdPartyCookies: 'blocked', storage: 'partitioned' } },
    },
    {
      name: 'blocked-denied',
      testMatch: flow,
      use: { mode: { thirdPartyCookies: 'blocked', storage: 'denied' } },
    },
    {
      name: 'allowed-partitioned',
      testMatch: flow,
      use: { mode: { thirdPartyCookies: 'allowed', storage: 'partitioned' } },
    },
    {
      name: 'allowed-shared',
      testMatch: flow,
      use: { mode: { thirdPartyCookies: 'allowed', storage: 'shared' } },
    },
  ],
});
