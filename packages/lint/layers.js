/** Which folders of the site may import which: the layer rules of docs/import-rules.md. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Folders of `app/` that are not products, though `routes` and `accounts` have routes. */
const sharedFolders = [
  'accounts',
  'external',
  'platform',
  'routes',
  'server',
  'shell',
  'testing',
  'ui',
];

/** Files at the top of `app/` that any folder above the boundary may read. */
const rootFiles = ['env.server.ts', 'settings.server.ts', 'site.config.ts', 'route-handle.ts'];

/** The platform's side: its package, this site's use of it, and what shows it. */
const ofPlatform = [
  './packages/platform',
  './node_modules/@gatehouse/platform',
  './app/platform.server.ts',
  './app/platform',
  './app/shell/platform',
];

/** The packages, and which others each may import. */
const packages = {
  accounts: ['frame', 'store'],
  create: [],
  frame: ['turbo-stream'],
  http: [],
  lint: [],
  mcp: ['http'],
  platform: ['frame'],
  proof: ['simulator'],
  server: ['http'],
  simulator: ['http'],
  store: [],
  'turbo-stream': [],
};

const framework = '^(@remix-run/|@react-router/|react-router($|/)|turbo-stream$)';
const frameworkMessage =
  'Only the adapters know the framework: packages/server/src/framework/, packages/frame/src/framework/.';

/**
 * Where a package may import the site's framework. Tests may: they write routes in its terms.
 * @type {import('eslint').Linter.Config}
 */
export const frameworkInAdapters = {
  files: ['packages/**/*.{js,mjs,ts,tsx}'],
  ignores: [
    'packages/server/{src/framework/**,vite/{remix,react-router}.js}',
    'packages/frame/src/framework/**',
    'packages/turbo-stream/**',
    // The proof matches the paths of a build's routes.
    'packages/proof/src/{checks/sdk-routes,checks/accounts/rows,crawl/match}.ts',
    '**/*.test.{ts,tsx}',
    'packages/*/test/**',
  ],
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ regex: framework, message: frameworkMessage }] },
    ],
    'no-restricted-syntax': [
      'error',
      {
        selector: `:matches(ImportExpression, TSImportType) Literal[value=/${framework.replaceAll('/', '\\/')}/]`,
        message: frameworkMessage,
      },
    ],
  },
};

/**
 * @param {string} root the repository's folder
 * @returns the site's products: folders of `app/` with routes of their own, such as the sample
 */
export function productsOf(root) {
  const app = path.join(root, 'app');
  return readdirSync(app).filter(
    (name) =>
      !sharedFolders.includes(name) &&
      ['routes', 'routes.ts'].some((routes) => existsSync(path.join(app, name, routes))),
  );
}

/** What a folder of `app/` may import besides itself and, in its tests, `app/testing/`. */
const mayImport = {
  external: ['env.server.ts'],
  platform: ['platform.server.ts', 'env.server.ts'],
  accounts: ['ui', 'shell', 'accounts.server.ts', 'store.server.ts', ...rootFiles],
  ui: [],
  shell: ['ui', 'platform', 'site.config.ts', 'route-handle.ts'],
  server: [
    'platform.server.ts',
    'accounts.server.ts',
    'store.server.ts',
    'features.server.ts',
    ...rootFiles,
  ],
};

/** What a product may not import. */
const notForProducts = ['routes', 'server', 'root.tsx', 'routes.ts'];

/**
 * The page docs/import-rules.md of a site with these files.
 * @param {(file: string) => boolean} exists whether the site has a path of `app/`
 */
export function importRulesPage(exists) {
  const named = (/** @type {string} */ name) =>
    `\`app/${name}${path.extname(name) === '' ? '/' : ''}\``;
  const list = (/** @type {string[]} */ names) =>
    names
      .filter(exists)
      .map(named)
      .sort((a, b) => a.localeCompare(b))
      .join(', ');
  const rows = [
    ['all of `app/`', 'the packages by name; only code for the server imports `@gatehouse/server`'],
    ['`app/routes/`, `app/root.tsx`', 'everything in `app/` except the products’ folders'],
    [
      '`app/acme/`, a product',
      `everything in \`app/\` except ${list(notForProducts)} and other products; with tables of its own, nothing of another kind of accounts either. Only files at the top of \`app/\` import it`,
    ],
    ...Object.entries(mayImport)
      .filter(([folder]) => exists(folder))
      .map(([folder, others]) => [named(folder), list(others) || 'itself']),
    ...(exists('platform')
      ? [
          [
            '`app/shell/platform/`',
            'what `app/shell/` may, `@gatehouse/platform`, and the browser files of `app/platform/`',
          ],
          [
            '`app/platform/simulated/`',
            'of the packages only `@gatehouse/simulator/operations` and `/samples`; only the offline demo imports it',
          ],
        ]
      : []),
    [
      'tests under `app/`',
      'what their folder may, `app/testing/`, and the packages’ `…/testing` entries',
    ],
  ];
  const table = [['from', 'may import'], ...rows];
  const [first = 0, second = 0] = [0, 1].map((at) =>
    Math.max(...table.map((row) => (row[at] ?? '').length)),
  );
  const lines = table.map(
    ([from = '', may = '']) => `| ${from.padEnd(first)} | ${may.padEnd(second)} |`,
  );
  lines.splice(1, 0, `| ${'-'.repeat(first)} | ${'-'.repeat(second)} |`);
  return `# Import rules

Generated from the rules that lint enforces.

${lines.join('\n')}

There are no import cycles. Each program reads \`process.env\` in one file; for the site that is \`app/env.server.ts\`.
`;
}

/**
 * @param {string[]} products
 * @param {string[]} productsWithTables those of them with tables of their own
 */
const layers = (products, productsWithTables) => [
  ...Object.entries(mayImport).map(([folder, others]) => ({
    target: `./app/${folder}`,
    from: './app',
    except: [folder, 'testing', ...others].map((name) => `./${name}`),
  })),
  {
    target: './app/platform/**/!(*.test|feature.server).{js,ts}',
    from: ['./app/platform.server.ts', './app/env.server.ts'],
    message: 'app/platform.server.ts imports the operations, and gives them their calls.',
  },
  {
    target: [
      './app/!(testing|platform)/**/!(*.test).{js,ts,tsx}',
      './app/platform/!(*.test).{js,ts}',
      './app/platform/!(simulated)/**/!(*.test).{js,ts}',
    ],
    from: './app/platform/simulated',
    message:
      'Only the offline demo runs the simulated platform: app/platform.server.ts loads it there.',
  },
  {
    target: './app/accounts/mails.server.ts',
    from: './app/accounts.server.ts',
    message: 'app/accounts.server.ts imports the words of mails.',
  },
  ...products.map((product) => ({
    target: `./app/${product}`,
    from: [...notForProducts, ...products]
      .filter((name) => name !== product)
      .map((name) => `./app/${name}`),
    message:
      'A product may import all of app/ except app/routes/, app/server/, app/root.tsx, app/routes.ts and other products. What two products share goes to a folder of its own.',
  })),
  ...productsWithTables.map((product) => ({
    target: `./app/${product}`,
    from: ofPlatform,
    message:
      'This product has its own tables, whose rows belong to a site account (W29): it uses app/accounts.server.ts and app/store.server.ts, and must not import platform code.',
  })),
  {
    target: './app/shell',
    from: [
      './app/platform/**/*.server.ts',
      './app/platform/{operations,simulated}/**',
      './packages/{frame,platform}/src/server/**',
    ],
  },
  {
    target: [
      './app/shell/!(*.test).{ts,tsx}',
      './app/shell/!(platform)/**/!(*.test).{ts,tsx}',
      ...['accounts', 'external', 'ui'].map((folder) => `./app/${folder}/**`),
      ...['accounts', 'store', 'migrations'].map((name) => `./app/${name}.server.ts`),
    ],
    from: ofPlatform,
    message:
      'This code works with any identity: only app/root.tsx passes the platform’s to the shell, and nothing else here may import it.',
  },
  ...products.map((product) => ({
    target: `./app/!(testing|${product})/**`,
    from: `./app/${product}`,
    message:
      'A product is a folder with its own routes, spread into app/routes.ts: only files at the top of app/ may import it.',
  })),
  {
    target: './app/!(testing|server)/**/!(*.test).{js,ts,tsx}',
    from: './app/server',
    message: 'Only the server itself is in app/server/. What a route needs goes to another folder.',
  },
  {
    target: ['./app/!(*.test).{ts,tsx}', './app/!(testing)/**/!(*.test).{ts,tsx}'],
    from: ['./app/testing/**', './packages/*/{src/**/testing,test}/**'],
    message: 'Only tests may import test code.',
  },
  {
    target: [
      './app/platform/!(*settings.*|feature.server.ts)',
      ...['ui', 'shell', ...products].map(
        (folder) => `./app/${folder}/**/!(*.test).{js,jsx,mjs,ts,tsx}`,
      ),
    ],
    from: './packages/server',
    message:
      'This code uses only web standards, React and Remix, and must not depend on the server.',
  },
  {
    target: ['', '**/'].map(
      (folder) => `./packages/{accounts,platform,server,store}/src/${folder}!(*.test).{ts,tsx}`,
    ),
    from: './packages/*/test/**',
    message: 'Only tests may import test code.',
  },
  { target: './packages', from: ['./app', './e2e', './mcp-server', './template'] },
  ...Object.entries(packages).map(([name, others]) => ({
    target: `./packages/${name}`,
    from: './packages',
    except: [name, ...others].map((folder) => `./${folder}`),
    message: 'A package works for any site: a site passes it what it needs.',
  })),
  { target: './app', from: ['./e2e', './mcp-server', './template'] },
  { target: './mcp-server', from: ['./{app,e2e,template}/**', './packages/!(mcp)/**'] },
];

/**
 * Zones of `import-x/no-restricted-paths`, relative to the repository's folder.
 * @param {string} root
 */
export function zonesOf(root) {
  const products = productsOf(root);
  const productsWithTables = products.filter((product) =>
    existsSync(path.join(root, 'app', product, 'migrations.server.ts')),
  );
  return layers(products, productsWithTables).map((zone) => ({
    message: 'The allowed imports are listed in docs/import-rules.md.',
    ...zone,
  }));
}
