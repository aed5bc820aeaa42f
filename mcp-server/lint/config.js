/** The MCP server's own rules: its layers, and who may know the SDK. Entries of an ESLint flat configuration. */
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** transports → adapters → core ← services; in `core`: result ← context ← definition and upstream ← a call. */
const layers = [
  { target: './src/core', from: './src', except: ['./core'] },
  ...Object.entries({
    result: [],
    context: ['result'],
    upstream: ['result', 'context'],
    definition: ['result', 'context'],
  }).map(([room, others]) => ({
    target: `./src/core/${room}/!(*.test).ts`,
    from: './src/core',
    except: [room, ...others].map((name) => `./${name}`),
  })),
  { target: './src/services', from: './src', except: ['./services', './core'] },
  { target: './src/adapters', from: './src', except: ['./adapters', './core'] },
  { target: './src/transports', from: './src', except: ['./transports', './adapters', './core'] },
];

/**
 * @param {string} [prefix] the server's folder in the repository that is linted, with a slash at the end
 * @returns {import('eslint').Linter.Config[]} entries that come after the repository's own
 */
export function mcpServerConfig(prefix = '') {
  const files = (/** @type {string[]} */ ...names) => names.map((name) => prefix + name);
  return [
    { ignores: files('bench/peers/') },
    {
      files: files('**/*.{ts,js,mjs}'),
      rules: {
        'import-x/no-restricted-paths': [
          'error',
          {
            basePath: root,
            zones: [
              { target: '.', from: ['../app', '../e2e', '../packages', '../template'] },
              ...layers,
            ].map((zone) => ({
              message:
                'transports → adapters → core ← services, and nothing from beside the server.',
              ...zone,
            })),
          },
        ],
        // The resolver takes the SDK's `types` pattern by the letter; the compiler checks those.
        'import-x/no-unresolved': ['error', { ignore: ['^@modelcontextprotocol/sdk/'] }],
      },
    },
    {
      files: files('src/env.ts', '{bench,conformance,example-service,scripts,test}/**'),
      rules: { 'no-restricted-properties': 'off' },
    },
    {
      // Programs that talk to a person at a terminal.
      files: files('{bench,conformance,example-service,scripts}/**'),
      rules: { 'no-console': 'off' },
    },
    {
      // The adapter is the only importer of the SDK; its types come to the transports through it.
      files: files('src/*/**/*.ts'),
      ignores: files('src/adapters/**', '**/*.test.ts'),
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
  ];
}
