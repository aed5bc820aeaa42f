/** The rules of this folder on its own. Beside a site, the site's configuration lints it with the same rules. */
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { mcpServerConfig } from '@gatehouse/mcp/lint';

export default tseslint.config(
  { ignores: ['dist/', '.cache/'] },
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  importX.flatConfigs.recommended,
  importX.flatConfigs.typescript,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
      globals: globals.node,
    },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: 'tsconfig.json' })],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      // The compiler reports these.
      'import-x/default': 'off',
      'import-x/export': 'off',
      'import-x/named': 'off',
      'import-x/namespace': 'off',
      'import-x/no-named-as-default-member': 'off',
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: ['**/*.test.ts', '*.config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'A service gets its settings by its settings.ts.',
        },
      ],
    },
  },
  ...mcpServerConfig(),
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
);
