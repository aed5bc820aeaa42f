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
import { init } from './init.ts';
import { Refusal } from './request/refusal.ts';

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
      lint: 'lint .',
      typecheck: 'check',
      mcp: 'npm run build -w mcp-server && node mcp-server/dist/main.js',
      bench: 'tsx template/bench.ts',
      test: 'gatehouse-parts build lint',
      'test:all': 'gatehouse-parts test then bench mcp then typecheck bench',
    },
    dependencies: { canvas: '^1.0.0', shared: '^1.0.0', mail: '^1.0.0' },
    overrides: { canvas: { parts: '^1.0.0' }, unrelated: '1.0.0' },
    devDependencies: { '@types/canvas': '^1.0.0', unrelated: '^1.0.0' },
  }),
  'tsconfig.json': json({ include: ['app', 'template'] }),
  'README.md': '# Gatehouse\n\nA template.\n',
  'AGENTS.md':
    '# Rules\n\nThere are rules.\n\n## MCP\n\n`mcp-server/` has its own.\n\n```sh\n## Others\n```\n\n### Deep\n\nToo.\n\n## Others\n\nKeep them.\n',
  'CHANGELOG.md': '# Changelog\n',
  LICENSE: 'MIT License\n\nCopyright (c) 2026 The Gatehouse authors\n',
  '.env.example': 'PORT=3000\n',
  'app/site.json': json({ name: 'Gatehouse', headline: 'Say it.', description: 'Pictures.' }),
  'app/routes.ts':
    "export { default as accounts } from './accounts/routes';\nexport { default as notes } from './notes/routes';\nexport { default as user } from './platform/user';\nexport { default as studio } from './studio/routes';\n",
  'app/platform/feature.json': json({ files: ['e2e/flows/both.spec.ts'] }),
  'app/platform/user.ts': 'export default {};\n',
  'app/accounts/feature.json': json({
    files: ['app/migrations.server.ts', 'e2e/flows/both.spec.ts'],
    dependencies: ['mail', 'shared'],
  }),
  'app/accounts/routes.ts':
    "import mail from 'mail';\nimport shared from 'shared';\n\nexport default [mail, shared];\n",
  'app/migrations.server.ts': 'export {};\n',
  'app/notes/feature.json': json({
    optional: true,
    needs: ['accounts'],
  }),
  'app/notes/routes.ts': 'export default [];\n',
  'app/testing/notes/notes-suite.ts': 'export {};\n',
  'e2e/flows/notes/flow.spec.ts': 'export {};\n',
  'e2e/flows/both.spec.ts': 'export {};\n',
  'app/studio/feature.json': json({
    optional: true,
    needs: ['platform'],
    dependencies: ['canvas', '@types/canvas', 'shared'],
  }),
  'app/studio/routes.ts': 'export default [];\n',
  'e2e/flows/studio/flow.spec.ts': 'export {};\n',
  'e2e/flows/site.spec.ts': 'export {};\n',
  'mcp-server/feature.json': json({
    name: 'mcp',
    optional: true,
    dependencies: ['unused'],
    scripts: ['mcp'],
    sections: { 'AGENTS.md': ['MCP'], 'README.md': ['MCP'], 'gone.md': ['MCP'] },
  }),
  'mcp-server/package.json': json({
    name: 'mcp-server',
    mcpName: 'io.github.your-name/mcp-server',
    version: '1.2.3',
    bin: { 'mcp-server': 'dist/main.js' },
  }),
  'mcp-server/main.ts': 'export {};\n',
  'packages/create/package.json': json({ name: 'init', version: '1.2.3' }),
  'packages/create/site/README.md': 'It is a site.\n\n## MCP\n\nAnd an MCP server.\n',
  'packages/create/site/tsconfig.json': json({ include: ['app'] }),
  'template/feature.json': json({
    files: ['packages', 'CHANGELOG.md'],
    scripts: ['bench'],
    instead: {
      'README.md': 'packages/create/site/README.md',
      'tsconfig.json': 'packages/create/site/tsconfig.json',
    },
  }),
  'template/package.json': json({ name: 'template', version: '1.2.3' }),
  'template/bench.ts': '// Gatehouse\n',
  '.gitignore': 'node_modules\n.env\ndist/\n',
};

export interface TestRepository {
  folder: string;
  init: (...args: string[]) => Promise<{ code: number; output: string }>;
  /** In a process of its own, which loads the compiler and the formatter first. */
  command: (...args: string[]) => Promise<{ code: number; output: string }>;
  /** Runs init, but kills it as it writes the README. */
  interruptedInit: (...args: string[]) => Promise<void>;
  git: (...args: string[]) => Promise<string>;
  commit: () => Promise<void>;
  /** What the commands say undoes them. */
  undo: () => Promise<string>;
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
    command: (...args) => runCommand(folder, args),
    async interruptedInit(...args) {
      await runCommand(folder, args, killedAtReadme);
    },
    git: (...args) => gitIn(folder, ...args),
    async commit() {
      await repository.git('add', '--all');
      await repository.git(...author, 'commit', '--quiet', '--message', 'A state');
    },
    undo: () => repository.git(...author, 'stash', '--include-untracked', '--', '.'),
    read: (file) => readFile(path.join(folder, file), 'utf8'),
    async write(file, text) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    },
    files: () => filesOf(folder),
  };
  for (const [file, text] of Object.entries(contents)) await repository.write(file, text);
  if (history) {
    await repository.git('init', '--quiet');
    await repository.commit();
  }
  return repository;
}

/** git's options, where nobody has told it who they are. */
const author = ['-c', 'user.name=A', '-c', 'user.email=a@site.example'];

export async function gitIn(cwd: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', args, { cwd })).stdout;
}

/** All files of a folder by path, except git's own. */
export async function filesOf(cwd: string): Promise<Record<string, string>> {
  const names = await globby('**', { cwd, dot: true, ignore: ['.git'] });
  const texts = names.map(async (name): Promise<[string, string]> => {
    return [name, await readFile(path.join(cwd, name), 'utf8')];
  });
  return Object.fromEntries(await Promise.all(texts));
}

const killedAtReadme = `data:text/javascript,${encodeURIComponent(`
  import files from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { rename } = files;
  files.rename = (from, to) =>
    to.endsWith('README.md') ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
  syncBuiltinESMExports();
`)}`;

/** What the command would print and exit with. */
async function runInit(folder: string, args: string[]): Promise<{ code: number; output: string }> {
  try {
    return { code: 0, output: `${await init(folder, args)}\n` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: 1, output: `${error.message}\n` };
  }
}

function runCommand(
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
    execFile(process.execPath, [...program, 'init', ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
