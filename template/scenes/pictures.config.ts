/** `npm run pictures`, second part: a picture of each scene. */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '../../e2e/harness/browser/browser-modes';
import { browserTests, usualMode } from '../../e2e/harness/browser/config';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  retries: 0,
  testDir: '.',
  testMatch: 'scene-pictures.ts',
  projects: [usualMode],
});
