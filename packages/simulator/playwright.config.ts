/** The simulator's own browser tests, including one that measures that each browser mode behaves as configured. */
import { defineConfig } from '@playwright/test';
import { browserTests, everyMode, findsBrowser, usualMode } from './src/browser/config.ts';
import type { BrowserMode } from './src/browser/browser-modes.ts';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: '.',
  globalSetup: findsBrowser,
  projects: everyMode.map((mode) =>
    mode === usualMode ? mode : { ...mode, testMatch: '**/modes.spec.ts' },
  ),
});
