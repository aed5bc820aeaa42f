/** `gatehouse update`: a site, two releases, and what their owner did in between. */
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkCommitted } from '../repository.ts';
import { Refusal } from '../request/refusal.ts';
import {
  edited,
  first,
  lines,
  releaseFrom,
  second,
  siteOf,
  text,
  textsOf,
  updated,
} from '../test-releases.ts';
import { repositoryOf, type TestRepository } from '../test-repository.ts';
import type { Codemod } from './codemods.ts';
import { update } from './update.ts';

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
