/** Vitest's configuration for a site. JavaScript, because Vitest loads it before it can load TypeScript. */
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { frameworkOf } from './site-framework.js';

/** The tests next to the site's own files. Threads start faster than processes. */
const besideFiles = (/** @type {string} */ root) => ({
  include: ['app/**/*.test.{ts,tsx}'],
  pool: /** @type {const} */ ('threads'),
  // Also while Vitest watches for changes, or runs what changed.
  maxWorkers: '100%',
  setupFiles: [
    '@gatehouse/server/testing/console-guard',
    ...(frameworkOf(root) === 'remix' ? ['@gatehouse/server/remix/testing/route-config'] : []),
  ],
});

/**
 * @param {string} root the site's folder
 * @param {import('vitest/config').ViteUserConfig['test']} tests which tests, and how they run
 */
export function siteTests(root, tests = besideFiles(root)) {
  return defineConfig({
    root,
    resolve: { alias: { '~': path.join(root, 'app') } },
    test: {
      environment: 'node',
      setupFiles: ['@gatehouse/server/testing/console-guard'],
      // Installed packages are loaded as the site's own files are, so that a test can replace a module of theirs.
      server: { deps: { inline: [/@gatehouse\//] } },
      restoreMocks: true,
      retry: process.env.CI ? 2 : 0,
      // Generous, for busy machines.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 20_000 } },
      ...tests,
    },
  });
}
