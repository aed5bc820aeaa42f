/** What every run of browser tests shares. A project is one mode of the browser, for cookies and storage. */
import { fileURLToPath } from 'node:url';
import type { PlaywrightTestConfig, ReporterDescription } from '@playwright/test';
import { testSettings } from '../programs/env';
import type { BrowserMode } from './browser-modes';

/** With the path of a JSON report to write beside the list, for a machine to read. */
const { ci, jsonReport } = testSettings();
const reporters: ReporterDescription[] = [
  ['list'],
  ...(jsonReport ? [['json', { outputFile: jsonReport }] satisfies ReporterDescription] : []),
];

/** Stops before the first test when there is no browser to be had, or finds one for all. */
export const findsBrowser = fileURLToPath(new URL('browser-is-found.ts', import.meta.url));

/** The mode that most visitors have. */
export const usualMode = modeProject('blocked', 'partitioned');

export const everyMode = [
  usualMode,
  modeProject('blocked', 'denied'),
  modeProject('allowed', 'partitioned'),
  modeProject('allowed', 'shared'),
];

/** Flows that take long carry this tag: `npm test` leaves them to `npm run test:modes`. */
const long = /@long/;

/** A site's flows: in every mode, and in the usual one those that take long apart. */
export const flowProjects = [
  { ...usualMode, grepInvert: long },
  { ...usualMode, name: 'long', grep: long },
  ...everyMode.slice(1),
];

export const browserTests = {
  testMatch: '**/*.spec.ts',
  globalSetup: [findsBrowser, fileURLToPath(new URL('site-is-built.ts', import.meta.url))],
  outputDir: fileURLToPath(new URL('../../../test-results', import.meta.url)),
  workers: 2,
  fullyParallel: true,
  // Playwright names at its end what passed on a later try: a race, to be mended as any other failure.
  retries: ci ? 2 : 0,
  forbidOnly: Boolean(ci),
  // For a machine that is busy with other things: a test that goes well waits for none of these.
  timeout: 90_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 20_000 },
  reporter: reporters,
  // A trace of each test would cost more than the test: ask for one with `--trace on`.
  use: { screenshot: 'only-on-failure', trace: 'off' },
} satisfies PlaywrightTestConfig;

function modeProject(
  thirdPartyCookies: BrowserMode['thirdPartyCookies'],
  storage: BrowserMode['storage'],
) {
  return { name: `${thirdPartyCookies}-${storage}`, use: { mode: { thirdPartyCookies, storage } } };
}
