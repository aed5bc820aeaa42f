/** The template's own browser tests, with the sample studio as the site (`npm run test:template`). */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { browserTests, everyMode, usualMode } from '@gatehouse/simulator/playwright';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: '.',
  testMatch: ['{accounts,boundary,outages,store,upload}/*.spec.ts'],
  projects: everyMode.map((mode) =>
    mode === usualMode ? mode : { ...mode, testMatch: '**/native-download.spec.ts' },
  ),
});
