/** Configuration of `npm run test:durability`. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '~': fileURLToPath(new URL('../../app', import.meta.url)) } },
  test: {
    dir: import.meta.dirname,
    include: ['**/*.long.ts'],
    testTimeout: 60 * 60_000,
    hookTimeout: 5 * 60_000,
  },
});
