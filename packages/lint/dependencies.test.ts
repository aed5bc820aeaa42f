/** A package imports what its own manifest lists; a workspace adds rules of its own. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteConfig } from './config.js';

let root = '';
let eslint: ESLint;

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'dependencies-')));
  const manifest = (name: string, more = {}) => JSON.stringify({ name, version: '1.0.0', ...more });
  const files = {
    'app/routes.js': '',
    'tsconfig.json': '{}',
    'package.json': manifest('site', {
      workspaces: ['packages/*', 'tools', 'plain'],
      dependencies: { 'of-the-site': '*' },
    }),
    'tools/eslint.site.js':
      "export default [{ files: ['tools/**'], rules: { 'no-empty': 'off' } }];",
    'packages/accounts/package.json': manifest('accounts', {
      dependencies: { listed: '*' },
      devDependencies: { tool: '*' },
      peerDependencies: { peer: '*' },
    }),
    ...Object.fromEntries(
      ['listed', 'tool', 'peer', 'of-the-site', 'of-another'].flatMap((name) => [
        [`node_modules/${name}/package.json`, manifest(name, { main: 'index.js' })],
        [`node_modules/${name}/index.js`, ''],
      ]),
    ),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    ruleFilter: ({ ruleId }) => ruleId === 'import-x/no-extraneous-dependencies',
    baseConfig: (await siteConfig(root)) as ESLint.Options['baseConfig'] & object,
  });
});
afterAll(() => rm(root, { recursive: true }));

async function isRefused(file: string, imported: string): Promise<boolean> {
  const filePath = path.join(root, 'packages/accounts', file);
  const [result] = await eslint.lintText(`import '${imported}';\n`, { filePath });
  return (result?.messages.length ?? 0) > 0;
}

test.each(['listed', 'peer', 'node:path'])('a package may import %s', async (name) => {
  expect(await isRefused('index.js', name)).toBe(false);
});

test.each(['of-the-site', 'of-another', 'tool'])(
  'a package may not import %s, which is installed beside it only here',
  async (name) => {
    expect(await isRefused('index.js', name)).toBe(true);
  },
);

test.each(['src/auth.js', 'src/testing/double.js', 'test/server.js'])(
  'a tool may be imported in %s, and another package’s dependency may not',
  async (file) => {
    expect(await isRefused(file, 'tool')).toBe(false);
    expect(await isRefused(file, 'of-another')).toBe(true);
  },
);

test('a workspace adds what its own `eslint.site.js` exports', async () => {
  const severityIn = async (file: string) => {
    const { rules } = (await eslint.calculateConfigForFile(path.join(root, file))) as {
      rules: Record<string, unknown[]>;
    };
    return rules['no-empty']?.[0];
  };
  expect([await severityIn('tools/a.js'), await severityIn('plain/a.js')]).toEqual([0, 2]);
});
