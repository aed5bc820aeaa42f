/** Tests of `npm run dev` (`npm run test:development`). */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '../../e2e/harness/browser/browser-modes';
import { browserTests, usualMode } from '../../e2e/harness/browser/config';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,

  testDir: '.',
  // These need no build.
  globalSetup: [],
  projects: [usualMode],
});
