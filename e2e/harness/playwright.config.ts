/** What the simulator proves of itself in a browser, and that each mode of the browser is what it is called. */
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
