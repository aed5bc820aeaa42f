/** `npm create gatehouse`: arguments and answers in, a folder and words out. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { archiveOf } from './archive.ts';
import { create } from './create.ts';
import { Refusal } from './request/refusal.ts';
import { filesOf, gitIn, repositoryOf, templateFiles } from './test-repository.ts';
import { down, enter, space, terminalFor, type Answer } from './test-terminal.ts';

beforeEach(() => {
  for (const who of ['AUTHOR', 'COMMITTER']) {
    vi.stubEnv(`GIT_${who}_NAME`, 'A');
    vi.stubEnv(`GIT_${who}_EMAIL`, 'a@site.example');
  }
});

/** A folder to create sites in. */
async function emptyFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'create-test-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const template = { ...templateFiles, '.ci/run': '#!/bin/sh\n', 'public/a.bin': '\u0000\u00ff' };

async function run(cwd: string, argv: readonly string[], answers?: Answer[]) {
  const archive = path.join(await emptyFolder(), 'template.json.br');
  const files = Object.entries(template).map(([file, text]) => [file, Buffer.from(text)] as const);
  await writeFile(archive, archiveOf(new Map(files)));
  const asked = answers && terminalFor(answers);
  try {
    const terminal = asked?.terminal;
    const output = await create(argv, { template: archive, cwd, terminal });
    return { code: 0, output, screen: asked?.screen() ?? '' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: 1, output: error.message, screen: asked?.screen() ?? '' };
  }
}

test('the site is what init makes of a clone, in a folder of its name', async () => {
  const cwd = await emptyFolder();
  const args = ['--auth', 'both', '--without', 'studio'];
  const { code, output } = await run(cwd, ['sites/framewise', ...args]);
  expect([code, output]).toEqual([0, expect.stringContaining('cd sites/framewise')]);
  expect(output).toContain('npm install && npm run dev');

  const clone = await repositoryOf(template);
  await clone.init('framewise', ...args);
  const folder = path.join(cwd, 'sites/framewise');
  expect(await filesOf(folder)).toEqual(await clone.files());
  expect((await stat(path.join(folder, '.ci/run'))).mode & 0o111).toBe(0o111);
});

test('it is committed, unless that is not wanted or it is part of a larger repository', async () => {
  const cwd = await emptyFolder();
  await run(cwd, ['one']);
  expect(await gitIn(path.join(cwd, 'one'), 'status', '--porcelain')).toBe('');
  await run(cwd, ['other', '--no-git']);
  expect(await readdir(path.join(cwd, 'other'))).not.toContain('.git');
  await run(path.join(cwd, 'one'), ['part']);
  expect(await readdir(path.join(cwd, 'one/part'))).not.toContain('.git');
});

test('a name with a scope is created in a folder without it', async () => {
  const cwd = await emptyFolder();
  await run(cwd, ['@acme/framewise']);
  const manifest = await readFile(path.join(cwd, 'framewise/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toHaveProperty('name', '@acme/framewise');
});

test('the current folder will do, if it is empty', async () => {
  const cwd = path.join(await emptyFolder(), 'framewise');
  await mkdir(cwd);
  const { code, output } = await run(cwd, ['.', '--no-git']);
  expect([code, output]).toEqual([0, expect.not.stringContaining('cd ')]);
  expect(await readdir(cwd)).toContain('app');
});

test.each([
  ['no name and nobody to ask', [], 'needs a name'],
  ['a name that is none', ['Frame Wise'], '"Frame Wise" is not a valid package name'],
  ['a dependency’s name', ['canvas'], '"canvas" is the name of a package'],
  ['a folder with something in it', ['full'], 'full exists and is not an empty folder'],
  ['a file', ['file'], 'file exists and is not an empty folder'],
  ['a path that Vite cannot read', ['a#b/framewise'], 'contains “#”, which Vite cannot read'],
  ['a path that it decodes', ['100%/framewise'], 'contains “%”, which Vite cannot read'],
  ['an unknown sample', ['a', '--without', 'blog'], 'not "blog"'],
])('%s is refused with one sentence, and nothing is written', async (_, argv, sentence) => {
  const cwd = await emptyFolder();
  await mkdir(path.join(cwd, 'full'));
  await writeFile(path.join(cwd, 'full/mine.txt'), '');
  await writeFile(path.join(cwd, 'file'), '');
  const before = await filesOf(cwd);
  const { code, output } = await run(cwd, argv);
  expect([code, output]).toEqual([1, expect.stringContaining(sentence) as string]);
  expect(output.split('\n')).toHaveLength(1);
  expect(await filesOf(cwd)).toEqual(before);
});

test('what is missing is asked, and what will be done is shown before it is', async () => {
  const cwd = await emptyFolder();
  const { code, screen } = await run(
    cwd,
    [],
    [
      ['name?', 'framewise', enter],
      ['Whose accounts', down, enter],
      // The studio is not among them: it needs the platform's accounts.
      ['begin with?', down, space, enter],
      ['git repository', enter],
      ['npm install?', down, enter],
      ['Go ahead?', enter],
    ],
  );
  expect(code).toBe(0);
  expect(screen).toMatch(/A site named framewise in framewise\/[^]*without [^]*mcp-server/);
  const { removed } = JSON.parse(
    await readFile(path.join(cwd, 'framewise/.gatehouse.json'), 'utf8'),
  ) as { removed: string[] };
  expect(removed).toEqual(['mcp', 'platform', 'studio', 'template']);
});

test('only what is missing is asked', async () => {
  const cwd = await emptyFolder();
  const args = ['framewise', '--auth', 'platform', '--without', 'mcp', '--no-git', '--no-install'];
  const { code, screen } = await run(cwd, args, [['Go ahead?', enter]]);
  expect([code, screen]).toEqual([0, expect.not.stringContaining('Whose')]);
  expect((await run(cwd, ['other', '--yes'], [])).screen).toBe('');
});

test.each(['pnpm/10.34.9 npm/? node/v20.20.2', 'yarn/1.22.22 npm/?', 'bun/1.3.14 npm/?'])(
  'another package manager, whose lock would not have the overrides, is told npm’s command: %s',
  async (userAgent) => {
    const cwd = await emptyFolder();
    const asked = create(['framewise'], { template: '', cwd, userAgent });
    await expect(asked).rejects.toThrow('npm create gatehouse@latest');
    expect(await readdir(cwd)).toEqual([]);
  },
);

test('nothing is written if it is not wanted', async () => {
  const cwd = await emptyFolder();
  const args = ['framewise', '--auth', 'platform', '--without', 'mcp', '--no-git', '--no-install'];
  for (const keys of [[down, enter], ['\u0003']]) {
    expect(await run(cwd, args, [['Go ahead?', ...keys]])).toMatchObject({
      code: 1,
      output: 'Nothing was changed.',
    });
  }
  expect(await readdir(cwd)).toEqual([]);
});
