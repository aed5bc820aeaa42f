import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test}/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['@gatehouse/mcp/testing/console-guard'],
    // So that it loads the service's TypeScript where it is installed, too.
    server: { deps: { inline: ['@gatehouse/mcp'] } },
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
