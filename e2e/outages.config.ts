/** The long run of `outages.spec.ts`: 20 outages of each kind, of 1 to 30 seconds (`npm run test:outages`). */
import { defineConfig } from '@playwright/test';
import suite from '../playwright.config';
import type { BrowserMode } from './browser-modes';

export default defineConfig<{ longest: number }, { mode: BrowserMode }>({
  ...suite,
  testDir: '.',
  testMatch: 'outages.spec.ts',
  globalSetup: './global-setup.ts',
  globalTimeout: 90 * 60_000,
  repeatEach: 20,
  reporter: [['list'], ['./outages-table.ts']],
  projects: [
    {
      name: 'outages',
      use: { longest: 30, mode: { thirdPartyCookies: 'blocked', storage: 'partitioned' } },
    },
  ],
});
