/** The packages' own tests: `npm test -w packages/server` runs those of one. */
import path from 'node:path';
import { siteTests } from '@gatehouse/server/vitest';

const rules = ['packages/lint/**/*.test.{ts,tsx}'];

export default siteTests(path.dirname(import.meta.dirname), {
  projects: [
    {
      extends: true,
      test: {
        name: 'packages',
        include: ['packages/**/*.test.{ts,tsx}'],
        // The MCP server's share their modules: `packages/mcp/vitest.config.ts`.
        exclude: ['**/node_modules/**', 'packages/mcp/**', ...rules],
      },
    },
    // Pure functions, which share one TypeScript program: isolated files would each build their own, in twice the time.
    { extends: true, test: { name: 'rules', include: rules, pool: 'threads', isolate: false } },
  ],
});
