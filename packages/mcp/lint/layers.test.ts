/** The layers of this package: which of its folders may import which. */
import path from 'node:path';
import { ESLint } from 'eslint';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { expect, test } from 'vitest';
import { mcpPackageConfig } from './config.js';

const eslint = new ESLint({
  cwd: path.join(import.meta.dirname, '..'),
  overrideConfigFile: true,
  baseConfig: [
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: { '@typescript-eslint': tseslint.plugin, 'import-x': importX },
    },
    ...mcpPackageConfig(''),
  ],
});

/** Returns the rules that a file violates with one import. */
async function violated(filePath: string, imported: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(`export * from '${imported}';\n`, { filePath });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
}

test.each([
  ['src/core/made-up.ts', '../adapters/connection.ts'],
  ['src/core/result/made-up.ts', '../context/tool-context.ts'],
  ['src/adapters/made-up.ts', '../transports/stdio/stdio.ts'],
  ['src/core/made-up.ts', '../testing/upstream-double.ts'],
  ['src/made-up.ts', '../examples/directory/service.ts'],
  ['examples/acme/tools/made-up.ts', '../../../src/adapters/connection.ts'],
  ['src/core/made-up.ts', '../../../platform/src/index.ts'],
  ['src/core/made-up.ts', '../../../../mcp-server/main.ts'],
])('%s may not import %s', async (file, imported) => {
  expect(await violated(file, imported)).toEqual(['import-x/no-restricted-paths']);
});

test.each([
  ['src/adapters/made-up.ts', '../core/context/tool-context.ts'],
  ['src/transports/made-up.ts', '../adapters/connection.ts'],
  ['src/core/made-up.test.ts', '../testing/upstream-double.ts'],
  ['examples/acme/tools/made-up.ts', '../../../src/index.ts'],
])('%s may import %s', async (file, imported) => {
  expect(await violated(file, imported)).toEqual([]);
});
