/** Slow tests (`npm run test:release`): sites that are generated, and tested as their owners would. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['**/*.release.ts'],
    // They begin with a folder that is installed once for all: `mcp-server/release/vitest.config.ts`.
    exclude: ['mcp-server/**'],
    fileParallelism: false,
    // A site's whole `npm test`, on a busy machine.
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
  },
});
