/** What takes minutes and asks npm's registry (`npm run test:release`): the folder on its own, and all that is shipped. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['**/*.release.ts'],
    globalSetup: [`${import.meta.dirname}/copied-folder.ts`],
    fileParallelism: false,
    // Its whole `npm test`, on a busy machine.
    testTimeout: 20 * 60_000,
    hookTimeout: 10 * 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
