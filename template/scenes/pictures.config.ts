/** `npm run pictures`, second part: a picture of each scene. */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { browserTests, usualMode } from '@gatehouse/simulator/playwright';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  retries: 0,
  testDir: '.',
  testMatch: 'scene-pictures.ts',
  projects: [usualMode],
});
