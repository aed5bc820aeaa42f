/** No import cycles between the folders of a package, so that each can be read, tested and moved alone. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { documentsOf } from './documents';

const { read, files } = documentsOf(fileURLToPath(new URL('../..', import.meta.url)));

/** Tests may import from any folder. */
const isTest = /\.(test|spec|release)\.tsx?$/;
const isSource = /\.m?[jt]sx?$/;
const sources = new Map(
  files
    .filter((file) => isSource.test(file) && !isTest.test(file))
    .map((file) => [file, read(file)]),
);

/** By common parent folder: which of its subfolders import which others, with one example import each. */
type Imports = Map<string, Map<string, Map<string, string>>>;

/** @param texts sources by their paths from the root */
function importsBetweenFolders(texts: ReadonlyMap<string, string>): Imports {
  const imports: Imports = new Map();
  for (const [file, text] of texts) {
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const imported = pathOf(fileName, file, texts);
      if (imported === undefined) continue;
      const [parent, from, to] = whereTheyPart(file, imported);
      // Two files of one folder, or a file directly in the parent folder.
      if (from === undefined || to === undefined) continue;
      const folders = valueOf(imports, parent, new Map<string, Map<string, string>>());
      valueOf(folders, from, new Map<string, string>()).set(to, `${file} → ${imported}`);
    }
  }
  return imports;
}

/** The path of an imported module, or undefined if it is in another package. */
function pathOf(name: string, importer: string, texts: ReadonlyMap<string, string>) {
  if (!/^(\.{1,2}|~)\//.test(name)) return undefined;
  const whole = name.startsWith('~/')
    ? `app/${name.slice(2)}`
    : path.posix.join(path.posix.dirname(importer), name);
  return ['', '.ts', '.tsx', '/index.ts'].map((end) => whole + end).find((file) => texts.has(file));
}

/** The common parent folder of two files, and the subfolder of each, if any. */
function whereTheyPart(first: string, other: string) {
  const [names, others] = [first.split('/').slice(0, -1), other.split('/').slice(0, -1)];
  const shared = names.findIndex((name, index) => name !== others[index]);
  const depth = shared === -1 ? names.length : shared;
  return [names.slice(0, depth).join('/'), names[depth], others[depth]] as const;
}

function valueOf<Value>(map: Map<string, Value>, key: string, start: Value): Value {
  const value = map.get(key) ?? start;
  map.set(key, value);
  return value;
}

/** Each import that is part of a cycle, with the common parent folder as its prefix. */
function cycles(texts: ReadonlyMap<string, string>): string[] {
  return [...importsBetweenFolders(texts)].flatMap(([parent, folders]) =>
    [...folders].flatMap(([from, imported]) =>
      [...imported]
        .filter(([to]) => reaches(folders, to, from))
        .map(([, example]) => `${parent}: ${example}`),
    ),
  );
}

function reaches(folders: Map<string, Map<string, string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  // Iterating a Set also visits the elements that are added meanwhile.
  for (const folder of seen) for (const next of folders.get(folder)?.keys() ?? []) seen.add(next);
  return seen.has(to);
}

test('there are no import cycles between folders', () => {
  expect(sources.size).toBeGreaterThan(400);
  expect(cycles(sources)).toEqual([]);
});

test('a cycle of two folders is reported, and one through a third', () => {
  const small = new Map([
    ['a/one/x.ts', "import type { Y } from '../two/deep/y';"],
    ['a/two/deep/y.ts', "export const z = import('../../three/z.ts');"],
    ['a/three/z.ts', "export * from '../one/x';"],
    ['a/four/w.ts', "import '../one/x';\nimport { beside } from '../beside';"],
    ['a/beside.ts', "import './four/w';"],
    ['app/shell/s.tsx', "import { u } from '~/ui/u';"],
    ['app/ui/u.tsx', "import { s } from '../shell/s';"],
  ]);
  expect(cycles(small)).toEqual([
    'a: a/one/x.ts → a/two/deep/y.ts',
    'a: a/two/deep/y.ts → a/three/z.ts',
    'a: a/three/z.ts → a/one/x.ts',
    'app: app/shell/s.tsx → app/ui/u.tsx',
    'app: app/ui/u.tsx → app/shell/s.tsx',
  ]);
});
