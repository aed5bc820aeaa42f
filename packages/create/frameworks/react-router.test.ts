/** The files of a site on Remix, and what they become. */
import { expect, test } from 'vitest';
import { forReactRouter } from './react-router.ts';

const manifest = {
  name: 'lab',
  engines: { node: '>=20.19.0' },
  scripts: { build: 'remix vite:build', dev: 'gatehouse-dev' },
  dependencies: {
    '@remix-run/node': '^2.17.5',
    '@remix-run/react': '^2.17.5',
    react: '^18.3.1',
    'turbo-stream': '3.2.1-remix.1',
    zod: '^4.6.7',
  },
  devDependencies: {
    '@remix-run/dev': '^2.17.5',
    '@remix-run/route-config': '^2.17.5',
    '@remix-run/testing': '^2.17.5',
    vite: '^6.4.6',
  },
  overrides: {
    tar: '^7.5.23',
    '@remix-run/react': { 'turbo-stream': '$turbo-stream' },
    'better-auth': { next: 'npm:react@^18.3.1' },
  },
};

const jsonOf = (files: Map<string, string>, file: string) =>
  JSON.parse(files.get(file) ?? '{}') as Record<string, unknown>;

test('the manifest names React Router in one version, and no override but better-auth’s', () => {
  const made = jsonOf(
    forReactRouter(new Map([['package.json', JSON.stringify(manifest)]])),
    'package.json',
  );
  expect(made).toEqual({
    name: 'lab',
    engines: { node: '>=22.22.0' },
    scripts: { build: 'react-router build', dev: 'gatehouse-dev' },
    dependencies: {
      '@react-router/node': '8.4.0',
      react: '^19.2.0',
      'react-router': '8.4.0',
      zod: '^4.6.7',
    },
    devDependencies: { '@react-router/dev': '8.4.0', vite: '^7.3.0' },
    overrides: { 'better-auth': { next: 'npm:react@^19.2.0' } },
  });
});

test('a site without better-auth has no overrides', () => {
  const own = { ...manifest, overrides: { tar: '^7.5.23' } };
  const files = forReactRouter(new Map([['package.json', JSON.stringify(own)]]));
  expect(jsonOf(files, 'package.json')).not.toHaveProperty('overrides');
});

test('the lock keeps nothing in the version that Remix needs', () => {
  const packages = {
    '': { name: 'lab' },
    'node_modules/react': { version: '18.3.1' },
    'node_modules/react-router': { version: '6.30.6' },
    'node_modules/@remix-run/dev/node_modules/esbuild': { version: '0.25.12' },
    'node_modules/@remix-run/web-fetch/node_modules/mrmime': { version: '1.0.1' },
    'node_modules/@remix-run/node-fetch-server': { version: '0.14.2' },
    'node_modules/zod': { version: '4.6.7' },
  };
  const files = forReactRouter(new Map([['package-lock.json', JSON.stringify({ packages })]]));
  expect(jsonOf(files, 'package-lock.json')).toEqual({
    packages: { '': { name: 'lab' }, 'node_modules/zod': { version: '4.6.7' } },
  });
});

test('words and code of documents are of React Router, names of headers stay', () => {
  const page = `# Remix 2.17

\`\`\`ts
import { data } from '@remix-run/node';
\`\`\`

Remix’s \`X-Remix-Response\` tells.
`;
  const files = forReactRouter(
    new Map([
      ['docs/page.md', page],
      ['vendor/README.md', page],
    ]),
  );
  expect(files.get('docs/page.md')).toBe(`# React Router 8

\`\`\`ts
import { data } from 'react-router';
\`\`\`

React Router’s \`X-Remix-Response\` tells.
`);
  expect(files.has('vendor/README.md')).toBe(false);
  expect(files.get('react-router.config.ts')).toContain("routeDiscovery: { mode: 'initial' }");
});
