/** The long run of `outages.spec.ts`: 20 outages of each kind, of 1 to 30 seconds (`npm run test:outages`). */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { browserTests, usualMode } from '@gatehouse/simulator/playwright';

export default defineConfig<{ longest: number }, { mode: BrowserMode }>({
  ...browserTests,

  testDir: '.',
  testMatch: 'outages.spec.ts',
  globalTimeout: 90 * 60_000,
  repeatEach: 20,
  reporter: [['list'], ['./outages-table.ts']],
  projects: [{ name: 'outages', use: { ...usualMode.use, longest: 30 } }],
});
