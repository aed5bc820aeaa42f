/** Vitest's configuration for an author's folder, which has none: it would take that of a folder above. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const guard = ['ts', 'js']
  .map((extension) =>
    fileURLToPath(new URL(`../src/testing/console-guard.${extension}`, import.meta.url)),
  )
  .filter((file) => existsSync(file))
  .slice(0, 1);

export default {
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    setupFiles: guard,
    // So that the tests' Vitest is the one that its doubles and the guard import.
    server: { deps: { inline: ['@gatehouse/mcp'] } },
    restoreMocks: true,
    // A record that is missing fails, as on CI: `-u` alone writes.
    update: 'none',
  },
};
