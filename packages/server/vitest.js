/** Vitest's configuration for a site. JavaScript, because Vitest loads it before it can load TypeScript. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `site` is what `npm test` runs: the tests next to the site's own files. */
const projects = {
  // Threads start faster than processes.
  site: { include: ['app/**/*.test.{ts,tsx}', 'e2e/platform/**/*.test.ts'], pool: 'threads' },
  machinery: {
    include: ['{packages,template}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', 'packages/{lint,mcp}/**'],
  },
  // Pure functions, which share one TypeScript program: isolated files would each build their own, in twice the time.
  rules: {
    include: ['packages/lint/**/*.test.{ts,tsx}'],
    pool: 'threads',
    isolate: false,
  },
};

/** @param {string} root the repository's folder */
export function siteTests(root) {
  return defineConfig({
    resolve: { alias: { '~': path.join(root, 'app') } },
    test: {
      environment: 'node',
      setupFiles: [fileURLToPath(new URL('src/testing/console-guard.ts', import.meta.url))],
      restoreMocks: true,
      retry: process.env.CI ? 2 : 0,
      // Generous, for busy machines.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      projects: Object.entries(projects).map(([name, project]) => ({
        extends: true,
        test: { name, ...project },
      })),
    },
  });
}
