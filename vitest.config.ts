import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `site` is what `npm test` runs: the tests beside the site's own files. */
const projects = {
  site: ['app/**/*.test.{ts,tsx}', 'e2e/platform/**/*.test.ts'],
  machinery: ['{packages,template,e2e/boundary,e2e/harness}/**/*.test.{ts,tsx}'],
};

export default defineConfig({
  resolve: { alias: { '~': fileURLToPath(new URL('app', import.meta.url)) } },
  test: {
    environment: 'node',
    setupFiles: [fileURLToPath(new URL('app/testing/console-guard.ts', import.meta.url))],
    restoreMocks: true,
    // For a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: Object.entries(projects).map(([name, include]) => ({
      extends: true,
      test: { name, include },
    })),
  },
});
