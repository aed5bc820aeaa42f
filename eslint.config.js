import { readdirSync } from 'node:fs'; // sample: mcp
import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
// @ts-expect-error -- it comes without types
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// sample: mcp
/** The MCP server's wrapped services: `example`, and those that `npm run mcp:new` makes. */
const services = readdirSync(new URL('mcp-server/src', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !['core', 'adapters', 'transports'].includes(name));
// /sample

/**
 * A folder of `app/` that imports these alone, and itself. Its tests may use what is made for tests.
 * @param {string} folder
 * @param {string[]} others
 */
const only = (folder, others) => ({
  target: `./app/${folder}`,
  from: './app',
  except: [folder, 'testing', ...others].map((name) => `./${name}`),
});

/** Who may not import whom: the layer rules of docs/architecture.md. */
const layers = [
  only('frame', []),
  only('external', []),
  only('platform', ['frame', 'env.server.ts']),
  only('accounts', ['ui', 'frame', 'env.server.ts']),
  only('ui', ['frame']),
  only('shell', ['ui', 'frame', 'platform', 'site.config.ts']),
  // sample: studio
  only('studio', [
    'ui',
    'shell',
    'frame',
    'platform',
    'external',
    'env.server.ts',
    'site.config.ts',
    'route-handle.ts',
  ]),
  // /sample
  only('server', [
    'platform',
    'external',
    'frame',
    'env.server.ts',
    'site.config.ts',
    'route-handle.ts',
  ]),
  { target: './app/shell', from: './app/platform/**/*.server.ts' },
  // sample: studio
  {
    target: './app/routes',
    from: './app/studio',
    message: 'A sample can be removed: nothing outside it imports it.',
  },
  // /sample
  {
    target: ['./app/!(*.test).{ts,tsx}', './app/!(testing)/**/!(*.test).{ts,tsx}'],
    from: './app/testing',
    message: 'Only tests import what is made for tests.',
  },
  { target: './app', from: ['./e2e', './mcp-server', './template'] },
  { target: './e2e/harness', from: ['./app', './mcp-server', './template'] },
  // sample: mcp
  { target: './mcp-server', from: ['./app', './e2e', './template'] },
  // transports → adapters → core ← services
  { target: './mcp-server/src/core', from: './mcp-server/src', except: ['./core'] },
  // result ← context ← definition and upstream ← a call
  ...Object.entries({
    result: [],
    context: ['result'],
    upstream: ['result', 'context'],
    definition: ['result', 'context'],
  }).map(([room, others]) => ({
    target: `./mcp-server/src/core/${room}/!(*.test).ts`,
    from: './mcp-server/src/core',
    except: [room, ...others].map((name) => `./${name}`),
  })),
  ...services.map((service) => ({
    target: `./mcp-server/src/${service}`,
    from: './mcp-server/src',
    except: [`./${service}`, './core'],
  })),
  {
    target: './mcp-server/src/adapters',
    from: './mcp-server/src',
    except: ['./adapters', './core'],
  },
  {
    target: './mcp-server/src/transports',
    from: './mcp-server/src',
    except: ['./transports', './adapters', './core'],
  },
  // /sample
];

const zones = layers.map((layer) => ({
  message: 'Who may import whom stands in docs/architecture.md.',
  ...layer,
}));

/** `process.env` is read in one file per program. */
const environmentReaders = [
  'app/env.server.ts',
  'e2e/harness/env.ts',
  'mcp-server/src/env.ts', // sample: mcp
  'mcp-server/{bench,conformance,example-service,scripts,test}/**', // sample: mcp
  '**/*.test.ts',
  'e2e/harness/browser/**',
  'template/**', // sample: template
  '*.config.ts',
  'scripts/**',
];

export default tseslint.config(
  {
    ignores: [
      'mcp-server/bench/peers/', // sample: mcp
      '**/build/',
      '**/dist/',
      'test-results/',
      'playwright-report/',
      '**/.cache/',
    ],
  },
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
      'import-x/no-cycle': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'import-x/no-named-as-default-member': 'off',
      // The resolver takes the MCP SDK's `types` pattern by the letter; the compiler checks those.
      'import-x/no-unresolved': ['error', { ignore: ['^virtual:', '^@modelcontextprotocol/sdk/'] }],
      'no-console': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Remix answers by throwing a Response.
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
          message: 'A program has one reader of settings: the site’s is app/env.server.ts.',
        },
      ],
    },
  },
  {
    files: ['app/**/*.tsx', 'app/**/*.ts'],
    ...jsxA11y.flatConfigs.strict,
    languageOptions: { ...jsxA11y.flatConfigs.strict.languageOptions, globals: globals.browser },
  },
  { files: ['app/**/*.tsx'], ...reactHooks.configs.flat['recommended-latest'] },
  {
    // What knows the platform outlives the framework: decision 0001.
    files: ['app/platform/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                '@remix-run/*',
                'react',
                'react-dom',
                'react-router*',
                'react/*',
                'react-dom/*',
              ],
              message: 'app/platform/ is web standards alone: a route calls it, and speaks Remix.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'app/{routes,ui,shell,frame}/**',
      'app/root.tsx',
      'app/studio/**', // sample: studio
    ],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]',
          message:
            'A module variable outlives the request: the next visitor would meet this one’s.',
        },
      ],
    },
  },
  {
    // Programs that talk to a person at a terminal.
    files: [
      'scripts/**',
      'packages/init/main.ts',
      'template/{bench,repository}/**', // sample: template
      'e2e/harness/{dev,main}.ts',
      'mcp-server/{bench,conformance,example-service,scripts}/**', // sample: mcp
    ],
    rules: { 'no-console': 'off' },
  },
  // sample: mcp
  {
    // The adapter is the only importer of the SDK; its types come to the transports through it.
    files: ['mcp-server/src/*/**/*.ts'],
    ignores: ['mcp-server/src/adapters/**', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@modelcontextprotocol/*'], message: 'Only adapters know the SDK.' },
          ],
        },
      ],
    },
  },
  // /sample
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
);
