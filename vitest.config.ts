import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const alias = { '~': fileURLToPath(new URL('app', import.meta.url)) };

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['{app,docs,scripts,packages,e2e}/**/*.test.{ts,tsx}'],
    environment: 'node',
    setupFiles: ['app/testing/console-guard.ts'],
    restoreMocks: true,
    // For a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
