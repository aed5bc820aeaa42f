/** Slow tests, a part of the template's `npm run test:release`: they need the npm registry. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.release.ts'],
    globalSetup: [`${import.meta.dirname}/../programs/built-programs.ts`],
    fileParallelism: false,
    // Each client is installed, and a suite is fetched with the Node.js that it needs.
    testTimeout: 10 * 60_000,
    reporters: ['verbose'],
  },
});
