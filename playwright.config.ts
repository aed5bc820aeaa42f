/**
 * The site's own flows, in every browser mode. `npm test` runs only the mode that most visitors have, without the
 * flows tagged `@long`.
 */
import { defineConfig } from '@playwright/test';
import type { BrowserMode } from './e2e/harness/browser/browser-modes';
import { browserTests, flowProjects } from './e2e/harness/browser/config';

export default defineConfig<object, { mode: BrowserMode }>({
  ...browserTests,
  testDir: 'e2e/flows',
  projects: flowProjects,
});
