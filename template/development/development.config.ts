/** Tests of `npm run dev` (`npm run test:development`). */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { browserTests, findsBrowser, usualMode } from '@gatehouse/simulator/playwright';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,

  testDir: '.',
  // These need no build.
  globalSetup: findsBrowser,
  projects: [usualMode],
});
