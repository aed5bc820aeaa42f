/** `gatehouse update`: a site, two releases, and what their owner did in between. */
import * as files from 'node:fs/promises';
import { chmod, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { archiveOf } from '../archive.ts';
import { checkCommitted } from '../repository.ts';
import { Refusal } from '../request/refusal.ts';
import { repositoryOf, templateFiles, type TestRepository } from '../test-repository.ts';
import type { Codemod } from './codemods.ts';
import { releaseOf, type Release } from './release.ts';
import { update, type Updated } from './update.ts';
import { finishWriting } from '../writing/steps.ts';

vi.mock('node:fs/promises', { spy: true });

type Template = Record<string, string | undefined>;

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const first: Template = {
  ...templateFiles,
  ...packagesOf('1.0.0'),
  'app/page.tsx': text(...lines),
  'app/left.tsx': text(...lines),
  'app/old.tsx': 'old\n',
  'docs/page': 'A file.\n',
  'docs/pages/one.md': 'In a folder.\n',
  '.ci/run': '#!/bin/sh\n',
};

/** What the second release changes. */
const second: Template = {
  ...first,
  ...packagesOf('1.1.0'),
  'package.json': (first['package.json'] ?? '')
    .replace('"lint": "lint ."', '"lint": "lint --strict ."')
    .replace('"canvas": "^1.0.0"', '"canvas": "^1.0.0",\n    "brush": "^2.0.0"'),
  'app/page.tsx': text('first', ...lines.slice(1)),
  'app/new.tsx': 'new\n',
  'app/old.tsx': undefined,
  'docs/page': undefined,
  'docs/page/one.md': 'A file in its place.\n',
  'docs/pages/one.md': undefined,
  'docs/pages': 'A folder before.\n',
  '.ci/run': '#!/bin/sh\nnpm test\n',
  'CHANGELOG.md': text(
    '# Changelog',
    '',
    '## [1.1.0] - 2026-01-02',
    '',
    '- A first line.',
    '',
    '## [1.0.0] - 2026-01-01',
    '',
    '- Everything.',
  ),
};

/** The template's own package, which a site has in `vendor/`. */
function packagesOf(version: string): Template {
  const own = { name: '@gatehouse/server', version, dependencies: {} };
  const manifest = JSON.parse(templateFiles['package.json'] ?? '') as { dependencies: object };
  const dependencies = { ...manifest.dependencies, '@gatehouse/server': '*' };
  return {
    'package.json': `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`,
    'packages/create/package.json': JSON.stringify({ name: '@gatehouse/create', version }),
    'packages/server/package.json': JSON.stringify(own),
    [`vendor/gatehouse-server-${version}.tgz`]: `packed ${version}\0`,
  };
}

function releaseFrom(template: Template): Release {
  const contents = Object.entries(template).flatMap(([file, content]) =>
    content === undefined ? [] : [[file, Buffer.from(content)] as const],
  );
  return releaseOf(archiveOf(new Map(contents)));
}

interface Choices {
  name?: string;
  auth?: 'platform' | 'in-app' | 'both';
  without?: string[];
}

/** A committed site of the first release. */
async function siteOf(choices: Choices = {}, template = first): Promise<TestRepository> {
  const site = await repositoryOf(await textsOf(releaseFrom(template), choices));
  await chmod(path.join(site.folder, '.ci/run'), 0o755);
  await site.commit();
  return site;
}

async function textsOf(release: Release, choices: Choices = {}): Promise<Record<string, string>> {
  const made = await release.site({ name: 'framewise', auth: 'platform', without: [], ...choices });
  return Object.fromEntries([...made].map(([file, content]) => [file, content.toString()]));
}

interface Options {
  to?: Template;
  from?: Template;
  isDry?: boolean;
  codemods?: Codemod[];
}

async function updated(
  { folder: root }: TestRepository,
  { to = second, from = first, ...options }: Options = {},
): Promise<Updated> {
  const release = releaseFrom(to);
  return update({ root, release, earlier: () => Promise.resolve(releaseFrom(from)), ...options });
}

async function edited(site: TestRepository, changes: Record<string, string>): Promise<void> {
  for (const [file, content] of Object.entries(changes)) await site.write(file, content);
  await site.commit();
}

test('a site that nobody edited is afterwards what the newer release makes', async () => {
  const site = await siteOf();
  const before = await site.files();
  const { report, isComplete } = await updated(site);
  expect(isComplete).toBe(true);
  expect(await site.files()).toEqual(await textsOf(releaseFrom(second)));
  expect(report).toMatch(/from release 1\.0\.0 to 1\.1\.0/);
  expect(report).toMatch(/Packages {3}1 in vendor\//);
  expect(report).toMatch(/Files {6}\d+ replaced, 3 new, 3 removed/);
  expect((await stat(path.join(site.folder, '.ci/run'))).mode & 0o111).toBe(0o111);

  await site.undo();
  expect(await site.files()).toEqual(before);
});

test('the report has what the changelog says of each release since', async () => {
  const { report } = await updated(await siteOf());
  expect(report).toContain('- A first line.');
  expect(report).not.toContain('Everything');
});

test('what the owner and the release changed is merged, and what is the owner’s alone is kept', async () => {
  const site = await siteOf();
  const manifest = JSON.parse(await site.read('package.json')) as Record<string, object>;
  const own = {
    ...manifest,
    scripts: { ...manifest['scripts'], deploy: 'ship' },
    dependencies: { ...manifest['dependencies'], chart: '^3.0.0' },
  };
  await edited(site, {
    'package.json': JSON.stringify(own),
    'app/page.tsx': text(...lines, 'mine'),
    'app/left.tsx': 'mine\n',
    'app/shop/routes.ts': 'export default [];\n',
  });
  const { report, isComplete } = await updated(site);
  expect(isComplete).toBe(true);
  expect(report).toMatch(/Merged {5}app\/page\.tsx\n {11}package\.json\n/);
  expect(await site.read('app/page.tsx')).toBe(text('first', ...lines.slice(1), 'mine'));
  expect(await site.read('app/left.tsx')).toBe('mine\n');
  expect(await site.read('app/shop/routes.ts')).toBe('export default [];\n');
  expect(JSON.parse(await site.read('package.json'))).toMatchObject({
    scripts: { deploy: 'ship', lint: 'lint --strict .' },
    dependencies: {
      chart: '^3.0.0',
      brush: '^2.0.0',
      '@gatehouse/server': 'file:vendor/gatehouse-server-1.1.0.tgz',
    },
  });
});

test('a line that both changed has both versions, and the report names the file', async () => {
  const site = await siteOf();
  await edited(site, { 'app/page.tsx': text('mine', ...lines.slice(1)) });
  const { report, isComplete } = await updated(site);
  expect(isComplete).toBe(false);
  expect(report).toMatch(/Conflict {3}app\/page\.tsx/);
  expect(await site.read('app/page.tsx')).toBe(
    text(
      '<<<<<<< this site',
      'mine',
      '||||||| release 1.0.0',
      'one',
      '=======',
      'first',
      '>>>>>>> release 1.1.0',
      ...lines.slice(1),
    ),
  );
});

test('a file that the owner added under the name of a new one has both contents', async () => {
  const site = await siteOf();
  await edited(site, { 'app/new.tsx': 'mine\n' });
  const { report } = await updated(site);
  expect(report).toMatch(/Conflict {3}app\/new\.tsx/);
  expect(await site.read('app/new.tsx')).toMatch(/mine\n[^]*new\n/);
});

test('what only the owner can decide keeps the owner’s version, and is listed', async () => {
  const site = await siteOf();
  await rm(path.join(site.folder, 'app/page.tsx'));
  await edited(site, {
    'app/old.tsx': 'mine\n',
    'package.json': (await site.read('package.json')).replace('lint .', 'lint --mine .'),
    '.ci/run': '#!/bin/sh\n\0',
  });
  const { report, isComplete } = await updated(site);
  expect(isComplete).toBe(false);
  expect(report).toContain('app/page.tsx: deleted here, and changed by the release');
  expect(report).toContain('app/old.tsx: edited here, and no longer part of the release');
  expect(report).toContain('package.json: scripts.lint, which is "lint --strict ." in the release');
  expect(report).toContain('.ci/run: changed here and by the release, and not text');
  expect(await site.files()).not.toHaveProperty(['app/page.tsx']);
  expect(await site.read('app/old.tsx')).toBe('mine\n');
  expect(await site.read('package.json')).toContain('lint --mine .');
});

test('what was removed stays removed, and a sample that is new is not added', async () => {
  const site = await siteOf({ auth: 'both', without: ['studio'] });
  expect(await site.init('framewise', '--without', 'mcp')).toMatchObject({ code: 0 });
  await site.commit();
  const gallery = { 'app/gallery/feature.json': '{ "optional": true }', 'app/gallery/a.ts': '' };
  const { isComplete } = await updated(site, { to: { ...second, ...gallery } });
  expect(isComplete).toBe(true);
  const choices = { auth: 'both', without: ['studio', 'mcp'] } as const;
  const expected = await textsOf(releaseFrom(second), { ...choices, without: ['studio', 'mcp'] });
  const after = await site.files();
  expect(Object.keys(after).sort()).toEqual(Object.keys(expected).sort());
  expect(after['package.json']).toBe(expected['package.json']);
});

test('a site that takes the packages from a registry gets their version, and no tarball', async () => {
  const site = await siteOf();
  await rm(path.join(site.folder, 'vendor/gatehouse-server-1.0.0.tgz'));
  const manifest = await site.read('package.json');
  await edited(site, {
    'package.json': manifest.replace('file:vendor/gatehouse-server-1.0.0.tgz', '^1.0.0'),
  });
  const { isComplete } = await updated(site);
  expect(isComplete).toBe(true);
  expect(await site.read('package.json')).toContain('"@gatehouse/server": "^1.1.0"');
  expect(Object.keys(await site.files()).filter((file) => file.endsWith('.tgz'))).toEqual([]);
});

const rename = (version: string, from: string, to: string): Codemod => ({
  version,
  does: `${from} is ${to}`,
  edit: (texts) =>
    new Map(
      [...texts]
        .filter(([file, content]) => file.startsWith('app/') && content.includes(from))
        .map(([file, content]) => [file, content.replaceAll(from, to)]),
    ),
});

test('the codemods of the releases since run in their order, on the owner’s files too', async () => {
  const site = await siteOf();
  await edited(site, { 'app/shop/routes.ts': 'useOld();\n', 'app/left.tsx': 'useOld();\n' });
  const codemods = [
    rename('1.0.0', 'useOld', 'useWrong'),
    rename('1.0.1', 'useOld', 'useNew'),
    rename('1.1.0', 'useNew', 'useNewest'),
    rename('1.2.0', 'useNewest', 'useWrong'),
  ];
  const { report } = await updated(site, { codemods });
  expect(report).toMatch(/Edited {5}2 files: useOld is useNew\n {11}2 files: useNew is/);
  expect(await site.read('app/shop/routes.ts')).toBe('useNewest();\n');
});

test('what a codemod changes in a file of the template is no edit of the owner', async () => {
  const was = { ...first, 'app/page.tsx': text('useOld', ...lines) };
  const site = await siteOf({}, was);
  const to = { ...second, 'app/page.tsx': text('useNew', ...lines, 'more') };
  const codemods = [rename('1.1.0', 'useOld', 'useNew')];
  const { report } = await updated(site, { from: was, to, codemods });
  expect(report).not.toMatch(/Merged|Conflict/);
  expect(await site.read('app/page.tsx')).toBe(to['app/page.tsx']);
});

test('a dry run reports the same, and changes nothing', async () => {
  const site = await siteOf();
  await edited(site, { 'app/page.tsx': text('mine', ...lines.slice(1)) });
  const before = await site.files();
  const { report, isChanged } = await updated(site, { isDry: true });
  expect([report, isChanged]).toEqual([expect.stringMatching(/Would move[^]*Conflict/), false]);
  expect(await site.files()).toEqual(before);
});

test('in a larger repository, only the site counts', async () => {
  const whole = await repositoryOf({ 'other/file.txt': 'theirs\n' });
  const made = Object.entries(await textsOf(releaseFrom(first)));
  for (const [file, content] of made) await whole.write(`site/${file}`, content);
  await whole.commit();
  await whole.write('other/file.txt', 'uncommitted\n');
  const site = { ...whole, folder: path.join(whole.folder, 'site') };
  expect(await updated(site)).toMatchObject({ isComplete: true });
  expect(await whole.read('site/app/new.tsx')).toBe('new\n');
  expect(await whole.read('other/file.txt')).toBe('uncommitted\n');
});

test('a checkout with other line endings has no edits', async () => {
  const site = await siteOf();
  await edited(site, { 'app/page.tsx': text(...lines).replaceAll('\n', '\r\n') });
  const { report } = await updated(site);
  expect(report).not.toMatch(/Merged|Conflict/);
  expect(await site.read('app/page.tsx')).toBe(second['app/page.tsx']);
});

test.each<[string, (site: TestRepository) => Promise<unknown>, string]>([
  ['a record that is no JSON', (site) => edited(site, { '.gatehouse.json': '' }), 'valid JSON'],
  ['no site', async (site) => rm(path.join(site.folder, '.gatehouse.json')), 'not the folder'],
  ['no repository', async (site) => rm(path.join(site.folder, '.git'), { recursive: true }), 'Git'],
  ['uncommitted work', async (site) => site.write('app/page.tsx', 'mine'), 'uncommitted work'],
  ['a file that git ignores', (site) => ignored(site, 'app/new.tsx'), 'does not track'],
  ['a file in a folder’s place', (site) => edited(site, { 'docs/page': 'mine' }), 'no folder'],
  ['a manifest that is no JSON', (site) => edited(site, { 'package.json': '{' }), 'valid JSON'],
])('%s is refused, and nothing is changed', async (_, prepare, sentence) => {
  const site = await siteOf();
  await prepare(site);
  const before = await site.files();
  const run = updated(site);
  await expect(run).rejects.toThrow(Refusal);
  await expect(run).rejects.toThrow(sentence);
  expect(await site.files()).toEqual(before);
});

async function ignored(site: TestRepository, file: string): Promise<void> {
  await edited(site, { '.gitignore': `${await site.read('.gitignore')}${file}\n` });
  await site.write(file, 'mine\n');
}

test('a site of the release has nothing to do, and one of a newer release is refused', async () => {
  const site = await siteOf();
  await updated(site);
  await site.commit();
  expect(await updated(site)).toMatchObject({ isChanged: false, isComplete: true });
  await expect(updated(site, { to: first })).rejects.toThrow('newer than 1.0.0');
});

test('a file that is edited while npm works is not overwritten', async () => {
  const site = await siteOf();
  const release = releaseFrom(second);
  const earlier = async () => {
    await site.write('app/page.tsx', 'mine\n');
    return releaseFrom(first);
  };
  const run = update({ root: site.folder, release, earlier });
  await expect(run).rejects.toThrow('app/page.tsx was changed meanwhile');
  expect(await site.git('status', '--porcelain')).toBe(' M app/page.tsx\n');
});

/** Breaks an update off at a step: nothing that comes after it happens. @returns whether it was done before. */
async function brokenOff(site: TestRepository, steps: number): Promise<boolean> {
  const real = await vi.importActual<typeof files>('node:fs/promises');
  let left = steps;
  for (const name of [
    'chmod',
    'copyFile',
    'mkdir',
    'rename',
    'rm',
    'rmdir',
    'writeFile',
  ] as const) {
    const act = real[name] as (...args: unknown[]) => Promise<never>;
    const step = (...args: unknown[]) => {
      if (!args.some((place) => String(place).startsWith(site.folder))) return act(...args);
      left -= 1;
      return left < 0 ? Promise.reject(new Error('No more.')) : act(...args);
    };
    vi.mocked(files[name]).mockImplementation(step as never);
  }
  try {
    await updated(site);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/Nothing was changed: No more|broken off: No more/);
    return false;
  } finally {
    // The spies call what they spy on again.
    vi.resetAllMocks();
  }
}

test('broken off at any step, it leaves the old site, or one that the next run makes the new one', async () => {
  const expected = await textsOf(releaseFrom(second));
  let finished = 0;
  for (let steps = 0, isDone = false; !isDone; steps += 1) {
    const site = await siteOf();
    const before = await site.files();
    isDone = await brokenOff(site, steps);
    const isFinished = (await finishWriting(site.folder)) !== null;
    if (isFinished) finished += 1;
    const isNew = isDone || isFinished;
    expect(withoutStaging(await site.files())).toEqual(isNew ? expected : before);
  }
  expect(finished).toBeGreaterThan(20);
}, 60_000);

test('broken off at any step and undone by git, it is the old site, and the next run makes it the new one', async () => {
  const expected = await textsOf(releaseFrom(second));
  for (let steps = 0, isDone = false; !isDone; steps += 5) {
    const site = await siteOf();
    const before = await site.files();
    isDone = await brokenOff(site, steps);
    await site.undo();
    expect(withoutStaging(await site.files())).toEqual(before);
    expect(await finishWriting(site.folder)).toBeNull();
    await updated(site);
    expect(withoutStaging(await site.files())).toEqual(expected);
  }
}, 60_000);

test('a file that is edited after a run was broken off is not overwritten by the next one', async () => {
  const site = await siteOf();
  const { rename: real } = await vi.importActual<typeof files>('node:fs/promises');
  vi.mocked(files.rename).mockImplementation((from, to) =>
    String(to).endsWith('page.tsx') ? Promise.reject(new Error('No more.')) : real(from, to),
  );
  await expect(updated(site)).rejects.toThrow('broken off: No more.');
  vi.resetAllMocks();
  await site.write('app/page.tsx', 'mine\n');
  await expect(finishWriting(site.folder)).rejects.toThrow('app/page.tsx was edited after');
  expect(await site.read('app/page.tsx')).toBe('mine\n');
});

test('the run that finishes another one prints that one’s report', async () => {
  const site = await siteOf();
  await edited(site, { 'app/page.tsx': text('mine', ...lines.slice(1)) });
  vi.mocked(files.copyFile).mockRejectedValueOnce(new Error('No more.'));
  await expect(updated(site)).rejects.toThrow('broken off');
  const report = expect.stringMatching(/Conflict +app\/page\.tsx/) as string;
  expect(await finishWriting(site.folder)).toMatchObject({ report, isComplete: false });
});

test('a run of a program that lists its steps otherwise is not finished by this one', async () => {
  const site = await siteOf();
  await site.write('.cache/gatehouse/steps.json', '{ "format": 2 }');
  await expect(finishWriting(site.folder)).rejects.toThrow('A run of another release');
});

test('two at once: one is refused', async () => {
  const site = await siteOf();
  const runs = await Promise.allSettled([updated(site), updated(site)]);
  const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason as Error] : []));
  expect(failed.map(({ name }) => name)).toEqual(failed.map(() => 'Refusal'));
  expect(failed.length).toBeLessThan(2);
  expect(withoutStaging(await site.files())).toEqual(await textsOf(releaseFrom(second)));
});

test('links are left alone, and nothing is written through one', async () => {
  const site = await siteOf();
  await rm(path.join(site.folder, 'app/page.tsx'));
  await files.symlink('left.tsx', path.join(site.folder, 'app/page.tsx'));
  await site.commit();
  const { report } = await updated(site);
  expect(report).toContain('app/page.tsx: deleted here');
  expect(await files.readlink(path.join(site.folder, 'app/page.tsx'))).toBe('left.tsx');

  const other = await siteOf();
  await files.symlink(os.tmpdir(), path.join(other.folder, 'app/linked'));
  await other.commit();
  const to = { ...second, 'app/linked/new.ts': 'export {};\n' };
  await expect(updated(other, { to })).rejects.toThrow('app/linked is no folder of this site');
  await expect(updated(other, { to, isDry: true })).rejects.toThrow('app/linked is no folder');
});

test('a file keeps its mode, its encoding and its line endings', async () => {
  const site = await siteOf();
  const ended = text(...lines, 'caf\u00e9').replaceAll('\n', '\r\n');
  await files.writeFile(path.join(site.folder, 'app/page.tsx'), ended, 'latin1');
  await chmod(path.join(site.folder, 'app/page.tsx'), 0o755);
  await site.commit();
  const { isComplete } = await updated(site);
  expect(isComplete).toBe(true);
  const expected = ended.replace('one', 'first');
  expect(await files.readFile(path.join(site.folder, 'app/page.tsx'), 'latin1')).toBe(expected);
  expect((await stat(path.join(site.folder, 'app/page.tsx'))).mode & 0o777).toBe(0o755);
});

test('tarballs of the owner’s own stay in vendor/', async () => {
  const site = await siteOf();
  await edited(site, {
    'vendor/mine-1.0.0.tgz': 'mine\0',
    'vendor/gatehouse-server-1.0.0.tgz': 'patched\0',
  });
  const { report } = await updated(site);
  expect(report).toContain('vendor/gatehouse-server-1.0.0.tgz: edited here');
  expect(await site.files()).toMatchObject({
    'vendor/mine-1.0.0.tgz': 'mine\0',
    'vendor/gatehouse-server-1.0.0.tgz': 'patched\0',
  });
});

test.each([
  ['^1.0.0', '^1.1.0'],
  ['~1.0.0', '~1.1.0'],
  ['1.0.0', '1.1.0'],
  ['^2.0.0', '^2.0.0'],
  ['*', '*'],
])('a package from a registry in the range %s is then in %s', async (before, after) => {
  const site = await siteOf();
  const own = 'file:vendor/gatehouse-server-1.0.0.tgz';
  await edited(site, { 'package.json': (await site.read('package.json')).replace(own, before) });
  await updated(site);
  expect(await site.read('package.json')).toContain(`"@gatehouse/server": "${after}"`);
});

test.each([
  ['{}'],
  ['[]'],
  ['null'],
  ['{ "version": "0xhacker/evil", "name": "a", "removed": [], "files": {} }'],
  ['{ "version": "1.0.0", "name": "a", "removed": "notes", "files": {} }'],
])(
  'a record that nobody here wrote is refused, and nothing is installed by it: %s',
  async (text) => {
    const site = await siteOf();
    await edited(site, { '.gatehouse.json': text });
    const earlier = vi.fn();
    const run = update({ root: site.folder, release: releaseFrom(second), earlier });
    await expect(run).rejects.toThrow('is not as it was written');
    expect(earlier).not.toHaveBeenCalled();
  },
);

test('what a release makes a sample stays in a site that has it', async () => {
  const was = { ...first, 'app/gallery/a.ts': 'export {};\n' };
  const site = await siteOf({}, was);
  const to = {
    ...second,
    'app/gallery/a.ts': 'export {};\n',
    'app/gallery/feature.json': '{ "optional": true }',
  };
  await updated(site, { from: was, to });
  expect(await site.files()).toHaveProperty(['app/gallery/a.ts']);
});

test('an edit that git does not look at is refused', async () => {
  const site = await siteOf();
  await site.git('update-index', '--skip-worktree', 'app/page.tsx');
  await expect(updated(site)).rejects.toThrow('git does not look at app/page.tsx');
});

test('in a folder with a space in its name, an uncommitted lock does not count', async () => {
  const whole = await repositoryOf({ 'my site/package-lock.json': '{}\n' });
  await whole.write('my site/package-lock.json', '{ }\n');
  await expect(checkCommitted(path.join(whole.folder, 'my site'))).resolves.toBeUndefined();
});

function withoutStaging(all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([file]) => !file.startsWith('.cache/')));
}
