/** ESLint flat configuration of an author's folder, and of this package: its layers, and which of them may import the SDK. */
import path from 'node:path';
import boundedErrorText from './rules/bounded-error-text.js';
import noSecretInput from './rules/no-secret-input.js';

/** An example's tests and the API that it wraps, which are not part of the service. */
const ofExamples = ['examples/*/{api,test}/**'];

const root = path.join(import.meta.dirname, '..');

/** transports → adapters → core ← services; within `core`: result ← context ← definition and upstream ← a call. */
const layers = [
  { target: './src/core', from: './src', except: ['./core', './testing'] },
  ...Object.entries({
    result: [],
    context: ['result'],
    upstream: ['result', 'context'],
    definition: ['result', 'context', 'upstream'],
  }).map(([room, others]) => ({
    target: `./src/core/${room}/!(*.test).ts`,
    from: './src/core',
    except: [room, ...others].map((name) => `./${name}`),
  })),
  { target: './examples/*/!(api|test)/!(*.test).ts', from: './src', except: ['./index.ts'] },
  { target: './examples/*/!(*.test).ts', from: './src', except: ['./index.ts'] },
  {
    target: ['./bench', './conformance', './lint', './src', './test'],
    from: './examples',
    message: 'A server has a service of its own, so no other code may import the examples.',
  },
  { target: './src/adapters', from: './src', except: ['./adapters', './core', './testing'] },
  {
    target: './src/transports',
    from: './src',
    except: ['./transports', './adapters', './core', './testing'],
  },
  {
    target: ['./src/*.ts', './src/{core,adapters,transports}/**/!(*.test).ts'],
    from: './src/testing',
    message: 'Only tests may import test code.',
  },
];

/** @param {string} prefix */
const under =
  (prefix) =>
  (/** @type {string[]} */ ...names) =>
    names.map((name) => prefix + name);

/**
 * An author's folder.
 *
 * @param {string} [prefix] The folder in the linted repository, with a trailing slash.
 * @returns {import('eslint').Linter.Config[]} Entries that follow the repository's own.
 */
export function mcpServerConfig(prefix = '') {
  const files = under(prefix);
  return [
    {
      files: files('**/*.{ts,js}'),
      rules: {
        'import-x/no-relative-packages': 'error',
        'import-x/no-extraneous-dependencies': ['error', { includeTypes: true }],
      },
    },
    ...services(files('**/*.ts')),
  ];
}

/**
 * This package.
 *
 * @param {string} prefix Its folder in the linted repository, with a trailing slash.
 * @returns {import('eslint').Linter.Config[]} Entries that follow the repository's own.
 */
export function mcpPackageConfig(prefix) {
  const files = under(prefix);
  return [
    { ignores: files('bench/peers/') },
    {
      // Copied beside the client that they use, which npm installs there.
      files: files('test/release/clients/*.js'),
      rules: { 'import-x/no-unresolved': 'off', 'import-x/no-extraneous-dependencies': 'off' },
    },
    {
      files: files('**/*.{ts,js,mjs}'),
      rules: {
        'import-x/no-restricted-paths': [
          'error',
          {
            basePath: root,
            zones: [
              {
                target: '.',
                from: ['../../{app,e2e,mcp-server,template}/**', '../!(mcp|http)/**'],
              },
              ...layers,
            ].map((zone) => ({
              message:
                'The layers are transports → adapters → core ← services, and of other packages only `@gatehouse/http` may be imported.',
              ...zone,
            })),
          },
        ],
      },
    },
    {
      files: files(
        'src/env.ts',
        '*.config.ts',
        '{bench,conformance,scripts,test}/**',
        ...ofExamples,
      ),
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      // Bundled, as an author's own.
      files: files('examples/**'),
      rules: { 'import-x/no-extraneous-dependencies': ['error', { devDependencies: true }] },
    },
    // Their tests use what this package's use.
    { files: files('examples/*/test/**'), rules: { 'import-x/no-extraneous-dependencies': 'off' } },
    {
      // Command-line programs.
      files: files('{bench,conformance,scripts}/**', ...ofExamples),
      rules: { 'no-console': 'off' },
    },
    {
      // One module imports the SDK, and re-exports its schemas and types.
      files: files('src/*/**/*.ts'),
      ignores: files('src/adapters/sdk.ts', '**/*.test.ts'),
      rules: { 'no-restricted-imports': ['error', { patterns: [sdk] }] },
    },
    {
      files: files('src/**/*.ts'),
      ignores: files('**/*.test.ts'),
      rules: { '@typescript-eslint/no-shadow': 'error' },
    },
    ...services(files('examples/*/**/*.ts'), files(...ofExamples)),
  ];
}

const sdk = {
  group: ['@modelcontextprotocol/*'],
  message: 'Only adapters may import the SDK, and they by their sdk.ts.',
};

/** Modules with network access, and module paths outside the service; `.` matches a slash. */
const clients = '(node:)?(http|https|http2|net|tls|dgram)|undici|axios|got|ky|ofetch|node-fetch|ws';
const readers = '(node:)?(fs(.promises)?|child_process|sqlite|worker_threads)';

const calls =
  'Call the service only with `request(context, path`/…`)`, which handles the deadline, the credential, retries and error messages.';
const reads =
  'Do not use files, processes or threads in a service: all callers would share them. Take what it needs from the API that it wraps, its settings.ts or its state.';
const settings =
  'Read settings only in the service’s settings.ts, from what the server passes to it.';
const prints =
  'Do not print in a service: a stdio client reads the protocol from stdout. Use `context.logInfo`, `context.logDebug` or `context.logError`.';
const globals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * Restrictions for services, which must use the core for all of this.
 * @param {string[]} files
 * @param {string[]} [others] files among them that are not part of a service
 * @returns {import('eslint').Linter.Config[]}
 */
function services(files, others = []) {
  const written = { files, ignores: ['**/*.test.ts', '**/*-double.ts', ...others] };
  return [
    {
      ...written,
      plugins: {
        mcp: {
          rules: {
            'bounded-error-text': boundedErrorText,
            'no-secret-input': noSecretInput,
          },
        },
      },
      rules: {
        'mcp/bounded-error-text': 'error',
        'mcp/no-secret-input': 'error',
        // Replaced by entries below, whose message names the log.
        'no-console': 'off',
        'no-restricted-globals': [
          'error',
          ...globals.map((name) => ({ name, message: calls })),
          { name: 'console', message: prints },
        ],
        'no-restricted-properties': [
          'error',
          {
            object: 'process',
            property: 'env',
            message: settings,
          },
          { property: 'getBuiltinModule', message: reads },
          { object: 'process', property: 'stdout', message: prints },
          ...['globalThis', 'global'].flatMap((object) => [
            ...globals.map((property) => ({ object, property, message: calls })),
            { object, property: 'console', message: prints },
          ]),
        ],
        'no-restricted-imports': ['error', { patterns: [sdk] }],
        '@typescript-eslint/no-restricted-imports': [
          'error',
          {
            patterns: [
              { regex: `^(${clients})$`, message: calls, allowTypeImports: true },
              { regex: `^(${readers})$`, message: reads, allowTypeImports: true },
              { regex: '^(node:)?process$', message: settings },
              { regex: '^(node:)?console$', message: prints },
            ],
          },
        ],
        'no-restricted-syntax': [
          'error',
          {
            selector: `ImportExpression[source.value=/^(${clients}|${readers})$/], ImportExpression:not([source.type="Literal"])`,
            message: `${calls} ${reads}`,
          },
        ],
      },
    },
  ];
}
