/**
 * Sites of one release, edited as their owners would, and moved to the next (`npx gatehouse update`). Both releases are what
 * `npm run release` makes; npm installs every package as it would for an owner.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addBoards } from './boards';
import { author, commit, copyRepository, edit, read, siteIn, type MadeSite } from './made-site';

const minutes = 60_000;
let folder: string;
let releases: string;
/** The programs `create-gatehouse` of both releases. */
let programs: Record<'older' | 'newer', string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'updated-'));
  releases = path.join(folder, 'releases');
  await mkdir(releases);
  const older = await released(await copyRepository());
  const newer = await released(await newerTemplate());
  programs = { older: await programOf(older), newer: await programOf(newer) };
}, 20 * minutes);

afterAll(() => rm(folder, { recursive: true }));

/** @returns its version. */
async function released(template: MadeSite): Promise<string> {
  const own = path.join(folder, path.basename(template.folder));
  await template.run('npm', 'run', '--silent', 'release', '--', own);
  const names = await readdir(own);
  for (const name of names.filter((name) => name.endsWith('.tgz')))
    await writeFile(path.join(releases, name), await readFile(path.join(own, name)));
  await template.remove();
  return names.map((name) => /^create-gatehouse-(.+)\.tgz$/.exec(name)?.[1]).find(Boolean) ?? '';
}

async function programOf(version: string): Promise<string> {
  const place = path.join(folder, `program-${version}`);
  const tarballs = ['create-gatehouse', 'gatehouse-create'].map((name) =>
    path.join(releases, `${name}-${version}.tgz`),
  );
  await mkdir(place);
  await promisify(execFile)('npm', ['install', '--prefix', place, ...tarballs]);
  return path.join(place, 'node_modules/.bin/create-gatehouse');
}

/** The template after a change that breaks sites: an export has another name, and a codemod knows it. */
async function newerTemplate(): Promise<MadeSite> {
  const template = await copyRepository();
  const change = (file: string, from: RegExp, to: string) => edit(template, file, from, to);
  const exported = 'packages/platform/src/react/index.ts';
  await change(exported, /\{ useRefusal \}/, '{ useRefusal as useRefused }');
  await change('packages/create/update/codemods.ts', /\[\];/, `[${codemod}];`);
  const uses = await template.run('git', 'grep', '-lw', 'useRefusal', '--', 'app', 'docs/recipes');
  for (const file of uses.trim().split('\n')) await change(file, /\buseRefusal\b/g, 'useRefused');
  await change('app/tailwind.css', /(--color-danger: )[^;]+/, '$1light-dark(#9f2f1d, #ff9d89)');
  await change('.github/workflows/ci.yml', /node: \[20, 24\]/, 'node: [20, 22, 24]');
  await change('app/routes.ts', /^/, '/** Every URL of the site. */\n');
  await change('package.json', /"format": "prettier --write \."/, '"format": "prettier -w ."');
  await template.write('app/ui/rule.tsx', rule);
  await template.write('.changeset/renamed.md', changeset);
  await template.run('npm', 'run', 'release:version');
  const notes = '## [1.0.0]\n\n- `useRefusal` is `useRefused`; the update renames it.\n\n';
  await change('CHANGELOG.md', /(?=## \[Unreleased\])/, notes);
  await template.run('npx', 'prettier', '--write', 'app/routes.ts', 'packages/create/update');
  await commit(template, 'The next release');
  return template;
}

const codemod = `{
  version: '1.0.0',
  does: 'useRefusal is useRefused',
  edit: (texts) =>
    new Map(
      [...texts]
        .filter(([file, text]) => /^(app|docs)\\//.test(file) && /\\buseRefusal\\b/.test(text))
        .map(([file, text]) => [file, text.replace(/\\buseRefusal\\b/g, 'useRefused')]),
    ),
}`;

const rule = `/** A line between parts of a page. */
export function Rule() {
  return <hr className="border-line" />;
}
`;

const changeset = `---
'@gatehouse/platform': major
---

useRefusal is useRefused.
`;

/** A committed and installed site of the older release. */
async function siteOfOlder(name: string, ...args: string[]): Promise<MadeSite> {
  await promisify(execFile)(programs.older, [name, ...args, '--yes', '--no-git'], { cwd: folder });
  const site = siteIn(path.join(folder, name));
  onTestFinished(site.remove);
  await site.run('npm', 'install', '--no-audit', '--no-fund');
  await site.run('git', 'init', '--quiet', '--initial-branch', 'main');
  await commit(site, 'A new site');
  return site;
}

test.each([
  ['platform', 'studio,mcp'],
  ['in-app', 'mcp'],
  ['both', ''],
])(
  'a site of mode %s that nobody edited is what the newer release creates, without a manual step',
  async (auth, without) => {
    const args = ['--auth', auth, ...(without === '' ? [] : ['--without', without])];
    const name = `untouched-${auth}`;
    const site = await siteOfOlder(name, ...args);
    const report = await site.run('npx', 'gatehouse', 'update', '--from', releases);
    expect(report).toContain('from release 0.1.0 to 1.0.0');
    expect(report).toContain('`useRefusal` is `useRefused`');
    expect(report).not.toMatch(/^(Merged|Conflict|Left)/m);

    const place = path.join(folder, 'expected');
    await mkdir(place);
    onTestFinished(() => rm(place, { recursive: true }));
    await promisify(execFile)(programs.newer, [name, ...args, '--yes', '--no-git'], { cwd: place });
    const expected = path.join(place, name);
    const names = await site.run('git', 'ls-files', '--cached', '--others', '--exclude-standard');
    const there: Record<string, string> = {};
    for (const file of names.trim().split('\n')) {
      const text = await readFile(path.join(site.folder, file), 'latin1').catch(() => null);
      if (text !== null) there[file] = text;
    }
    const all = await readdir(expected, { recursive: true, withFileTypes: true });
    const made = all.filter((entry) => entry.isFile());
    expect(made.length).toBe(Object.keys(there).length);
    for (const entry of made) {
      const file = path.relative(expected, path.join(entry.parentPath, entry.name));
      // npm, which has installed the site, writes it anew.
      if (file === 'package-lock.json') continue;
      expect([file, there[file]]).toEqual([
        file,
        await readFile(path.join(expected, file), 'latin1'),
      ]);
    }
    await site.run('npm', 'ci', '--no-audit', '--no-fund');
    await site.run('npm', 'test');
  },
);

test('a site with a product, an operation, a theme and CI of its own keeps all of it, and its tests pass', async () => {
  const site = await siteOfOlder('edited', '--without', 'studio,mcp');
  await addBoards(site);
  const change = (file: string, from: RegExp, to: string) => edit(site, file, from, to);
  await change('app/tailwind.css', /(--color-accent: )[^;]+/, '$1light-dark(#5b3f8f, #c3aef0)');
  await change('.github/workflows/ci.yml', /timeout-minutes: 75/, 'timeout-minutes: 90');
  await change('app/site.json', /"headline": "[^"]*"/, '"headline": "Boards for all."');
  await change('app/routes/boards.tsx', /^(?=import )/m, imports);
  await change(
    'app/routes/boards.tsx',
    /(export default function Boards\(.*\{)/,
    '$1\n  useRefusal(prettyBytes(1) === "" ? { code: null } : null);',
  );
  await change('package.json', /"scripts": \{/, '"scripts": {\n    "deploy": "echo shipped",');
  await site.run('npm', 'install', '--no-audit', '--no-fund', 'pretty-bytes@7.1.0');
  await site.run('npx', 'prettier', '--write', 'app');
  await commit(site, 'Boards');
  const own = await ownChanges(site);

  const report = await site.run('npx', 'gatehouse', 'update', '--from', releases);
  expect(report).not.toMatch(/^(Conflict|Left)/m);
  expect(report).toMatch(/^Merged .*\.github\/workflows\/ci\.yml$/m);
  expect(await ownChanges(site)).toBe(own.replaceAll('useRefusal', 'useRefused'));
  expect(await read(site, 'app/tailwind.css')).toMatch(/#5b3f8f[^]*#9f2f1d/);
  const workflow = await read(site, '.github/workflows/ci.yml');
  expect(workflow).toMatch(/timeout-minutes: 90[^]*\[20, 22, 24\]/);
  const manifest = JSON.parse(await read(site, 'package.json')) as Record<string, object>;
  expect(manifest['scripts']).toMatchObject({ deploy: 'echo shipped', format: 'prettier -w .' });
  expect(manifest['dependencies']).toHaveProperty('pretty-bytes');
  await site.run('npm', 'test');
});

test('killed while it writes, it leaves a site that git undoes, or that the next run finishes', async () => {
  const site = await siteOfOlder('killed', '--without', 'studio,mcp');
  const bin = path.join(site.folder, 'node_modules/.bin/gatehouse');
  const update = [bin, 'update', '--from', releases, '--no-install'];
  const versionNow = async () =>
    (JSON.parse(await read(site, '.gatehouse.json')) as { version: string }).version;
  const kill = async () => {
    const child = spawn(process.execPath, ['--import', killedAtManifest, ...update], {
      cwd: site.folder,
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await site.run('git', 'status', '--porcelain')).not.toBe('');
    expect(await versionNow()).toBe('0.1.0');
  };

  const undo = () => site.run('git', ...author, 'stash', '--include-untracked', '--', '.');
  await kill();
  await undo();
  expect(await site.run('git', 'status', '--porcelain')).toBe('');
  await kill();
  expect(await site.run('node', ...update)).toContain('Finished');
  expect(await versionNow()).toBe('1.0.0');
  await undo();
  await site.write('README.md', 'Not committed.\n');
  // The newer release's program refuses, and the site's own prints it.
  await expect(site.run('node', ...update)).rejects.toThrow(/\nThere is uncommitted work .*\n$/);
});

const killedAtManifest = `data:text/javascript,${encodeURIComponent(`
  import files from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { rename } = files;
  files.rename = (from, to) =>
    String(to).endsWith('/package.json') ? process.kill(process.pid, 'SIGKILL') : rename(from, to);
  syncBuiltinESMExports();
`)}`;

const imports = `import prettyBytes from 'pretty-bytes';
import { useRefusal } from '@gatehouse/platform/react';
`;

/** What its owner added, without the hashes of the contents. */
async function ownChanges(site: MadeSite): Promise<string> {
  const files = ['app/routes/boards.tsx', 'app/platform', 'e2e/flows/boards.spec.ts'];
  const changes = await site.run('git', 'diff', 'HEAD~1', '--', ...files);
  return changes.replace(/^index .*$/gm, '');
}
