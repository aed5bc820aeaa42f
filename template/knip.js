/** knip's configuration for the packages, and for the template's own tests and benchmarks. */
import { mcpPackageKnip } from '@gatehouse/mcp/knip';

export default {
  'packages/accounts': {
    entry: ['src/testing/*.ts', 'test/mail-process.ts'],
  },
  'packages/lint': { entry: ['test/case/app/**/*.{ts,tsx}'] },
  'packages/mcp': mcpPackageKnip,
  'packages/platform': {
    entry: ['test/*.{ts,tsx}'],
  },
  'packages/proof': {
    entry: ['src/visit/in-page.js', 'test/*.{ts,js,mjs}'],
    ignoreDependencies: ['@remix-run/serve'],
  },
  'packages/server': {
    entry: ['check-path.mjs', 'test/*.{ts,tsx}'],
  },
  'packages/simulator': {
    entry: [
      'src/*.{ts,mjs}',
      'src/programs/{main,dev}.ts',
      'src/browser/*.ts',
      'src/page/*.{js,css}',
      'test/**/*.{ts,mjs}',
    ],
  },
  'packages/store': {
    entry: ['src/testing/*.ts', 'test/*.ts'],
  },
  template: {
    entry: [
      '*.js',
      'bench/*.{ts,tsx,mjs}',
      'durability/writer.ts',
      'release/create-gatehouse/*.js',
    ],
    ignoreDependencies: ['@remix-run/serve'],
  },
};
