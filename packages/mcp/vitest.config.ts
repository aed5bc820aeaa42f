import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      '*.test.ts',
      '{src,examples,test,scripts,conformance,lint}/**/*.test.ts',
      'bench/*.test.ts',
    ],
    environment: 'node',
    globalSetup: ['test/programs/built-programs.ts'],
    setupFiles: ['src/testing/console-guard.ts'],
    restoreMocks: true,
    retry: process.env.CI ? 2 : 0,
    // For a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Files share their imports, which takes a third of the time off. So no module of a test has state.
    isolate: false,
    // A record that is missing fails, as on CI: `-u` alone writes.
    update: 'none',
  },
});
