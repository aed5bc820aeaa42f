import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
// @ts-expect-error -- the package has no types
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { fewProps } from './few-props.js';
import { frameworkInAdapters, productsOf, zonesOf } from './layers.js';
import { rules } from './rules/index.js';

/** Files that may read `process.env`: one per program, plus files that are not part of a program. */
const environmentReaders = [
  'app/{env.server,server/store}.ts',
  'packages/simulator/src/programs/env.ts',
  'packages/store/src/testing/postgres-server.ts',
  '**/*.test.ts',
  'template/**',
  '*.config.ts',
];

/** Files of packages that are not packed: `packages/create/packing/pack.ts`. */
const neverInstalled = [
  '**/*.{test,spec}.{ts,tsx}',
  '**/{test,bench,conformance}/**',
  '**/{playwright,vitest}.config.ts',
  '**/test-*.ts',
];

/** Files of packages for which a site installs a tool, as the README of the package says: decision 0022. */
const besideTools = [
  'packages/*/src/**/testing/**',
  'packages/{frame,server}/src/framework/**',
  'packages/accounts/src/**',
  'packages/server/src/development/**',
  'packages/server/{vite,vite/{remix,react-router},vitest}.js',
];

/**
 * The rules of a site, as a flat configuration. Each workspace that `package.json` names may add to them: the default export of its
 * `eslint.site.js`.
 * @param {string} root the repository's folder
 */
export async function siteConfig(root) {
  return tseslint.config(
    {
      ignores: [
        '**/build/',
        '**/dist/',
        'test-results/',
        'playwright-report/',
        '**/.cache/',
        // What React Router generates of the routes.
        '.react-router/',
      ],
    },
    js.configs.recommended,
    tseslint.configs.strictTypeChecked,
    importX.flatConfigs.recommended,
    importX.flatConfigs.typescript,
    {
      languageOptions: {
        parserOptions: { projectService: true, tsconfigRootDir: root },
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
        'import-x/no-restricted-paths': ['error', { basePath: root, zones: zonesOf(root) }],
        'import-x/no-named-as-default-member': 'off',
        // The resolver does not support the pattern in the MCP SDK's `types`; the compiler checks these imports.
        'import-x/no-unresolved': [
          'error',
          { ignore: ['^virtual:', '^@modelcontextprotocol/sdk/'] },
        ],
        'no-console': 'error',
        '@typescript-eslint/no-unused-vars': [
          'error',
          {
            argsIgnorePattern: '^_',
            varsIgnorePattern: '^_',
            destructuredArrayIgnorePattern: '^_',
          },
        ],
        // Libraries declare as methods what they hand out as functions: Kysely's `({ ref }) =>`.
        '@typescript-eslint/unbound-method': 'off',
        '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
        '@typescript-eslint/consistent-type-imports': 'error',
        // A loader or action may throw a Response.
        '@typescript-eslint/only-throw-error': [
          'error',
          {
            allow: [
              { from: 'lib', name: 'Response' },
              { from: 'file', name: 'ApiResponse' },
            ],
            allowThrowingUnknown: true,
          },
        ],
      },
    },
    {
      files: ['**/*.{ts,tsx}'],
      ignores: environmentReaders,
      rules: {
        'no-restricted-properties': [
          'error',
          {
            object: 'process',
            property: 'env',
            message:
              'Read settings in one file per program; for the site that is app/env.server.ts.',
          },
        ],
      },
    },
    {
      files: ['app/**/*.tsx', 'app/**/*.ts'],
      ...jsxA11y.flatConfigs.strict,
      languageOptions: { ...jsxA11y.flatConfigs.strict.languageOptions, globals: globals.browser },
    },
    {
      files: ['app/**/*.{ts,tsx}', 'packages/*/src/react/**/*.{ts,tsx}'],
      ...reactHooks.configs.flat['recommended-latest'],
      rules: {
        ...reactHooks.configs.flat['recommended-latest'].rules,
        'react-hooks/exhaustive-deps': 'error',
      },
    },
    frameworkInAdapters,
    fewProps,
    {
      // The boundary must not depend on the framework: decision 0001.
      files: [
        'app/platform.server.ts',
        'app/platform/**/!(routes).ts',
        'packages/platform/src/*.ts',
        'packages/platform/src/{server,browser}/**/*.ts',
      ],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [withoutFramework],
          },
        ],
      },
    },
    {
      files: ['app/platform/simulated/**/*.ts'],
      ignores: ['**/*.test.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [withoutFramework, { regex: impure, message: impureMessage }] },
        ],
      },
    },
    ...boundary(root),
    {
      // npm installs the dependencies of all packages into one folder, where any of them could import those of another.
      files: ['packages/**/*.{ts,tsx,js,mjs}'],
      rules: {
        'import-x/no-extraneous-dependencies': [
          'error',
          { includeTypes: true, devDependencies: [...neverInstalled, ...besideTools] },
        ],
      },
    },
    {
      // Programs that print to a terminal.
      files: [
        'packages/create/command.ts',
        'template/{bench,lighthouse,release,repository}/**',
        'packages/simulator/src/programs/{dev,main}.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    ...(await ofWorkspaces(root)),
    { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
  );
}

/**
 * @param {string} root
 * @returns {Promise<import('eslint').Linter.Config[]>}
 */
async function ofWorkspaces(root) {
  const manifest = path.join(root, 'package.json');
  if (!existsSync(manifest)) return [];
  /** @type {{ workspaces?: string[] }} */
  const { workspaces = [] } = JSON.parse(readFileSync(manifest, 'utf8'));
  const files = workspaces
    .map((folder) => path.join(root, folder, 'eslint.site.js'))
    .filter((file) => existsSync(file));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((module) => module.default);
}

const withoutFramework = {
  group: ['@remix-run/*', 'react', 'react-dom', 'react-router*', 'react/*', 'react-dom/*'],
  message: 'The boundary must not depend on React or Remix; convert in the route.',
};

/** What the offline demo would build into the site. */
const impure = '^@gatehouse/(?!simulator/(operations|samples)$)';
const impureMessage =
  'The simulated platform is built into the site for its offline demo: of the packages it imports only `@gatehouse/simulator/operations` and `/samples`.';

/**
 * The `site/` rules, with the files that each of them applies to. `docs/security.md` lists what they report.
 * @param {string} root
 * @returns {import('eslint').Linter.Config[]}
 */
function boundary(root) {
  const routes = [
    'routes',
    'accounts/routes',
    ...productsOf(root).map((product) => `${product}/routes`),
  ].map((folder) => `app/${folder}/**`);
  const servers = [
    'app/server/**',
    'app/entry.server.tsx',
    'app/**/*.server.{ts,tsx}',
    'app/platform/{operations,simulated}/**',
    'app/routes.ts',
  ];
  const tests = ['**/*.test.{ts,tsx}', 'app/testing/**'];
  /**
   * @param {string} name
   * @param {string[]} ignores files whose task is what the rule forbids
   */
  const rule = (name, ...ignores) => ({
    files: ['app/**/*.{ts,tsx}'],
    ignores: [...tests, ...ignores],
    rules: /** @type {const} */ ({ [`site/${name}`]: 'error' }),
  });
  return [
    { plugins: { site: { rules } } },
    { ...rule('guard-first'), files: [...routes, 'app/root.tsx'] },
    { ...rule('public-routes'), files: routes },
    rule('identities-apart'),
    rule('no-made-up-guard'),
    rule('profile-stays'),
    rule('targets', 'app/external/**'),
    rule('native-download'),
    rule('platform-sign-in', 'app/accounts/**'),
    rule('cookies', 'app/accounts/**'),
    rule('storage'),
    rule('inline-markup'),
    rule('password-field', 'app/accounts/**'),
    rule('module-state', 'app/platform/**', 'app/server/**', 'app/env.server.ts'),
    rule('outside-calls', 'app/platform.server.ts', 'app/external/*.server.ts'),
    rule(
      'settings',
      'app/env.server.ts',
      'app/server/**',
      'app/platform.server.ts',
      'app/platform/feature.server.ts',
    ),
    rule('no-token', 'app/external/**'),
    rule('server-modules', ...servers, ...routes, 'app/root.tsx'),
    {
      ...rule('server-modules', ...servers),
      files: [...routes, 'app/root.tsx'],
      rules: { 'site/server-modules': ['error', { route: true }] },
    },
  ];
}
