/** Two releases of a small template, and sites of them. */
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { archiveOf } from './archive.ts';
import { repositoryOf, templateFiles, type TestRepository } from './test-repository.ts';
import type { Codemod } from './update/codemods.ts';
import { releaseOf, type Release } from './update/release.ts';
import { update, type Updated } from './update/update.ts';

export type Template = Record<string, string | undefined>;

export const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
export const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

export const first: Template = {
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
export const second: Template = {
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

export function releaseFrom(template: Template): Release {
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
export async function siteOf(choices: Choices = {}, template = first): Promise<TestRepository> {
  const site = await repositoryOf(await textsOf(releaseFrom(template), choices));
  await chmod(path.join(site.folder, '.ci/run'), 0o755);
  await site.commit();
  return site;
}

export async function textsOf(
  release: Release,
  choices: Choices = {},
): Promise<Record<string, string>> {
  const made = await release.site({ name: 'framewise', auth: 'platform', without: [], ...choices });
  return Object.fromEntries([...made].map(([file, content]) => [file, content.toString()]));
}

interface Options {
  to?: Template;
  from?: Template;
  isDry?: boolean;
  codemods?: Codemod[];
}

export async function updated(
  { folder: root }: TestRepository,
  { to = second, from = first, ...options }: Options = {},
): Promise<Updated> {
  const release = releaseFrom(to);
  return update({ root, release, earlier: () => Promise.resolve(releaseFrom(from)), ...options });
}

export async function edited(site: TestRepository, changes: Record<string, string>): Promise<void> {
  for (const [file, content] of Object.entries(changes)) await site.write(file, content);
  await site.commit();
}
