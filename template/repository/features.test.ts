/** What the features' `feature.json` list, this repository has; and no line of any file is marked for a feature. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { featuresIn } from '../../packages/create/features.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)));
const manifests = tracked.filter((file) => path.basename(file) === 'feature.json');
const features = featuresIn(new Map(manifests.map((file) => [file, read(file)])));

const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
  string,
  Record<string, string>
>;

test('there are the kinds of accounts, the samples and the template', () => {
  expect(features.map(({ name }) => name).sort()).toEqual(
    ['accounts', 'mcp', 'notes', 'platform', 'studio', 'template'].sort(),
  );
});

test.each(features)('what $name lists exists', (feature) => {
  const names = features.map(({ name }) => name);
  const headings = Object.entries(feature.sections).flatMap(([document, titles]) => {
    const texts = [
      read(document),
      ...features.flatMap(({ instead }) => instead[document] ?? []).map(read),
    ];
    return titles.filter((title) => !texts.some((text) => text.includes(`\n## ${title}\n`)));
  });
  const manifest = JSON.parse(
    read(manifests.find((file) => feature.files[0] === path.dirname(file)) ?? ''),
  ) as { files?: string[] };
  const listed = [...(manifest.files ?? []), ...Object.values(feature.instead)];
  expect({
    needs: feature.needs.filter((name) => !names.includes(name)),
    files: listed.filter((file) => !existsSync(path.join(root, file))),
    dependencies: feature.dependencies.filter(
      (name) => !(name in { ...dependencies, ...devDependencies }),
    ),
    scripts: feature.scripts.filter((name) => !(name in (scripts ?? {}))),
    headings,
  }).toEqual({ needs: [], files: [], dependencies: [], scripts: [], headings: [] });
});

test('no line is marked for a feature', () => {
  const mark = /(?:\/\/|#|<!--|\/\*) ?\/?(?:sample|auth)(?:: \w+)? *(?:-->|\*\/\}?)? *\|? *$/m;
  expect(mark.test(['a(); //', 'sample: studio'].join(' '))).toBe(true);
  const text = /\.([cm]?[jt]sx?|md|json|ya?ml|css|html)$|(^|\/)(Dockerfile|run|\.\w+)$/;
  expect(tracked.filter((file) => text.test(file) && mark.test(read(file)))).toEqual([]);
});
