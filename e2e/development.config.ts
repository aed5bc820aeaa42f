/** `npm run dev` as a developer meets it: three minutes, which `npm test` does not spend (`npm run test:development`). */
import { defineConfig } from '@playwright/test';
import suite from '../playwright.config';

export default defineConfig({
  ...suite,
  testDir: '.',
  testMatch: 'development.spec.ts',
  testIgnore: [],
  // These need no build.
  globalSetup: [],
  ...(suite.projects?.[0] && { projects: [suite.projects[0]] }),
});
