/**
 * The site's own flows, in every browser mode. `npm test` runs only the mode that most visitors have, without the
 * flows tagged `@long`.
 */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { browserTests, flowProjects } from '@gatehouse/simulator/playwright';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: 'e2e/flows',
  projects: flowProjects,
});
