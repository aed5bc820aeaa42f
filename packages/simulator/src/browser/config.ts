/**
 * The Playwright configuration that all browser tests share. Each project is one browser mode, for cookies
 * and storage.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlaywrightTestConfig, ReporterDescription } from '@playwright/test';
import { testSettings } from '../programs/env.ts';
import type { BrowserMode } from './browser-modes.ts';

/** `jsonReport` is the path of a JSON report, written beside the list for tools to read. */
const { ci, jsonReport, slowness } = testSettings();
const reporters: ReporterDescription[] = [
  ['list'],
  ...(jsonReport ? [['json', { outputFile: jsonReport }] satisfies ReporterDescription] : []),
];

/** The path of a module beside this one. Its extension is that of this file: `.js` in an installed package. */
const moduleFile = (name: string) =>
  fileURLToPath(new URL(`${name}${path.extname(import.meta.url)}`, import.meta.url));

/** Path of the global setup that finds and times the browser for all tests, or stops before the first one. */
export const findsBrowser = moduleFile('browser-is-found');

/** The mode that most visitors have. */
export const usualMode = modeProject('blocked', 'partitioned');

export const everyMode = [
  usualMode,
  modeProject('blocked', 'denied'),
  modeProject('allowed', 'partitioned'),
  modeProject('allowed', 'shared'),
];

/** The tag of slow flows: `npm test` leaves them to `npm run test:modes`. */
const long = /@long/;

/** The tag of flows that no policy for cookies or storage affects: they run in the usual mode alone. */
const oneMode = /@one-mode/;

/** A site's flows in every mode; in the usual mode the slow ones are a project of their own. */
export const flowProjects = [
  { ...usualMode, grepInvert: long },
  { ...usualMode, name: 'long', grep: long },
  ...everyMode.slice(1).map((mode) => ({ ...mode, grepInvert: oneMode })),
];

export const browserTests = {
  testMatch: '**/*.spec.ts',
  globalSetup: [findsBrowser, moduleFile('site-is-built')],
  outputDir: path.resolve('test-results'),
  workers: 2,
  fullyParallel: true,
  // Playwright lists tests that passed only on a retry as flaky: a race, to be fixed like any other failure.
  retries: ci ? 2 : 0,
  forbidOnly: Boolean(ci),
  // Generous, and in proportion to the machine: a passing test reaches none of these. `patience.ts` extends the first by
  // each step of a journey.
  timeout: 90_000 * slowness,
  globalTimeout: 3 * 60 * 60_000 * slowness,
  expect: { timeout: 20_000 * slowness },
  reporter: reporters,
  // Recording traces would take longer than the tests: ask for one with `--trace on`.
  use: { screenshot: 'only-on-failure', trace: 'off' },
} satisfies PlaywrightTestConfig;

function modeProject(
  thirdPartyCookies: BrowserMode['thirdPartyCookies'],
  storage: BrowserMode['storage'],
) {
  return { name: `${thirdPartyCookies}-${storage}`, use: { mode: { thirdPartyCookies, storage } } };
}
