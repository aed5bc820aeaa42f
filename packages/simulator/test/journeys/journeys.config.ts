/** Runs the flows of this folder with less time than their journeys take: see `browser/patience.test.ts`. */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '../../src/browser/browser-modes.ts';
import { browserTests, findsBrowser, usualMode } from '../../src/browser/config.ts';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: '.',
  testMatch: 'journeys.ts',
  globalSetup: findsBrowser,
  workers: 1,
  timeout: 3_000,
  reporter: 'json',
  projects: [usualMode],
});
