/** The simulator's own browser tests, and the proof that each browser mode is what its name says. */
import { defineConfig } from '@playwright/test';
import { browserTests, everyMode, findsBrowser, usualMode } from './browser/config';
import type { BrowserMode } from './browser/browser-modes';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: '.',
  globalSetup: findsBrowser,
  projects: everyMode.map((mode) =>
    mode === usualMode ? mode : { ...mode, testMatch: '**/modes.spec.ts' },
  ),
});
