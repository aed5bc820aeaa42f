/**
 * Release tests (a part of `npm run test:release`): they take minutes and need the npm registry. They test the folder
 * on its own, with the package as it is installed, and everything that is shipped.
 */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['**/*.release.ts'],
    globalSetup: [`${import.meta.dirname}/copied-folder.ts`],
    fileParallelism: false,
    // Long enough for a complete `npm test` on a busy machine.
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
