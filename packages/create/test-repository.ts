/** A small template to run `init` on. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { globby } from 'globby';
import { onTestFinished } from 'vitest';

export const templateFiles: Record<string, string> = {
  'package.json': json({
    name: 'gatehouse',
    version: '1.2.3',
    private: true,
    license: 'MIT',
    description: 'A template.',
    workspaces: ['packages/*', 'mcp-server', 'template'],
    scripts: {
      build: 'bundle',
      lint: 'lint . --ignore-pattern template/ --ignore-pattern packages/ && format . "!packages/**" "!template/**" && lint packages template app',
      typecheck: 'check && npm run typecheck -w mcp-server',
      mcp: 'npm run build -w mcp-server && node mcp-server/dist/main.js',
      bench: 'tsx template/bench.ts',
      test: 'gatehouse-parts build bench && npm run mcp',
      'test:all': 'npm test && npm run bench',
      release: 'npm run bench',
      machinery: 'gatehouse-parts lint bench then mcp then typecheck bench && check',
      tools: 'gatehouse-parts bench then mcp && check',
    },
    dependencies: { canvas: '^1.0.0', shared: '^1.0.0', checker: '^1.0.0', mail: '^1.0.0' },
    devDependencies: { '@types/canvas': '^1.0.0', unrelated: '^1.0.0' },
  }),
  'tsconfig.json': json({ include: ['app', 'template', './mcp-server/src'] }),
  'README.md': '# Gatehouse\n\nA template.\n',
  'AGENTS.md':
    '# Rules\n\nGatehouse has rules.\n\n<!-- sample: mcp -->\n\n`mcp-server/` has its own.\n\n<!-- /sample -->\n\nKeep them.\n',
  'CHANGELOG.md': '# Changelog\n',
  LICENSE: 'MIT License\n\nCopyright (c) 2026 The Gatehouse authors\n',
  '.env.example': 'PORT=3000\n\n# sample: mcp\n# The MCP server.\nMCP_PORT=3333\n# /sample\n',
  'app/site.config.ts': `/** What tabs say: \`Account · Gatehouse\`. */
export const site = {
  name: 'Gatehouse',
  headline: 'Say it.',
  description:
    'Pictures.',
  menu: [
    { to: '/studio', label: 'Studio', name: 'inner' }, // sample: studio
    { to: '/account', label: 'Account', name: 'inner' },
  ],
};
`,
  'app/routes.ts':
    "import shared from 'shared';\nimport accounts from './accounts/routes'; // auth: accounts\nimport notes from './notes/routes'; // sample: notes\nimport user from './platform/user'; // auth: platform\nimport studio from './studio/routes'; // sample: studio\n\nexport default [\n  shared,\n  ...accounts, // auth: accounts\n  ...notes, // sample: notes\n  user, // auth: platform\n  ...studio, // sample: studio\n];\n",
  'app/platform/user.ts': 'export default {};\n',
  'app/accounts/routes.ts':
    "import mail from 'mail';\nimport shared from 'shared';\n\nexport default [mail, shared];\n",
  'app/migrations.server.ts': 'export {};\n',
  'app/notes/routes.ts': 'export default [];\n',
  'app/testing/notes/notes-suite.ts': 'export {};\n',
  'e2e/flows/notes/flow.spec.ts': 'export {};\n',
  'e2e/flows/both.spec.ts': '// auth: platform\n// auth: accounts\nexport {};\n',
  'app/studio/routes.ts':
    "import canvas from 'canvas';\nimport shared from 'shared';\nimport 'checker';\n\nexport default [canvas, shared];\n",
  'app/studio-like.test.ts': '// sample: studio\nexport {};\n',
  'e2e/flows/studio/flow.spec.ts': 'export {};\n',
  'e2e/flows/site.spec.ts': "test('a [W01]');\ntest('b [W02]'); // sample: studio\n",
  'mcp-server/package.json': json({
    name: 'mcp-server',
    mcpName: 'io.github.your-name/mcp-server',
    version: '1.2.3',
    bin: { 'mcp-server': 'dist/main.js' },
  }),
  'mcp-server/server.json': json({
    name: 'io.github.your-name/mcp-server',
    packages: [{ identifier: 'mcp-server' }],
  }),
  'mcp-server/main.ts': 'export {};\n',
  'packages/create/package.json': json({ name: 'init', version: '1.2.3' }),
  'packages/create/a.js': '',
  'packages/create/b.js': '',
  'packages/create/c.test.js': '',
  'packages/create/site-readme.md':
    '# TITLE\n\nTITLE is a site.\n\n<!-- sample: mcp -->\n\nAnd an MCP server.\n\n<!-- /sample -->\n',
  'template/package.json': json({ name: 'template', version: '1.2.3' }),
  'template/bench.ts': "import 'checker';\n\n// Gatehouse\n",
  'docs/contract.md':
    '| id  | rule | kept in | proved in |\n| --- | ---- | ------- | --------- |\n| W01 | one  | `app/routes.ts`, `app/studio/routes.ts`, `packages/create/a.js`, `packages/create/b.js` | `flow.spec.ts`, `site.spec.ts` |\n| W02 | two  | `app/studio/routes.ts` | `flow.spec.ts`, `site.spec.ts` |\n| W03 | three | `app/routes.ts` | `c.test.js` |\n',
  'docs/architecture.md':
    '| from | may import |\n| --- | --- |\n| `app/studio/`, `app/studio/x` | all |\n| a server, `mcp-server/src/` | none |\n| `app/`, `mcp-server/` | some |\n',
  '.gitignore': 'node_modules/\n.env\ndist/\n',
};

export interface TestRepository {
  folder: string;
  init: (...args: string[]) => Promise<{ code: number; output: string }>;
  /** Runs init, but kills it as it removes the first file. */
  interruptedInit: (...args: string[]) => Promise<void>;
  git: (...args: string[]) => Promise<string>;
  commit: () => Promise<void>;
  read: (file: string) => Promise<string>;
  write: (file: string, text: string) => Promise<void>;
  /** All files by path, except git's own. */
  files: () => Promise<Record<string, string>>;
}

export async function repositoryOf(
  contents = templateFiles,
  { history = true } = {},
): Promise<TestRepository> {
  const folder = await mkdtemp(path.join(tmpdir(), 'init-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const repository: TestRepository = {
    folder,
    init: (...args) => runInit(folder, args),
    async interruptedInit(...args) {
      await runInit(folder, args, killedAtRemoval);
    },
    git: async (...args) => (await promisify(execFile)('git', args, { cwd: folder })).stdout,
    async commit() {
      await repository.git('add', '--all');
      const author = ['-c', 'user.name=A', '-c', 'user.email=a@site.example'];
      await repository.git(...author, 'commit', '--quiet', '--message', 'A state');
    },
    read: (file) => readFile(path.join(folder, file), 'utf8'),
    async write(file, text) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    },
    async files() {
      const names = await globby('**', { cwd: folder, dot: true, ignore: ['.git'] });
      return Object.fromEntries(
        await Promise.all(
          names.map(async (name): Promise<[string, string]> => [name, await repository.read(name)]),
        ),
      );
    },
  };
  for (const [file, text] of Object.entries(contents)) await repository.write(file, text);
  if (history) {
    await repository.git('init', '--quiet');
    await repository.commit();
  }
  return repository;
}

const killedAtRemoval = `data:text/javascript,${encodeURIComponent(`
  import files from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  files.rm = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();
`)}`;

function runInit(
  cwd: string,
  args: string[],
  ...preloads: string[]
): Promise<{ code: number; output: string }> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  // By URL, because the folder has no packages of its own.
  const program = [
    '--import',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
    ...preloads.flatMap((preload) => ['--import', preload]),
    main,
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
