/**
 * Maintains the page of a contract: tables of rules whose last column lists the tests that cite a rule in their
 * titles. That column is generated; everything else is written by hand.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface Rule {
  id: string;
  /** The files that implement it, as named on the page. */
  code: string[];
  /** The file names of the tests that cite it. */
  tests: string[];
  /** Marked as not testable yet. */
  open: boolean;
}

export interface TestFile {
  file: string;
  /** The ids that its titles cite. */
  ids: string[];
}

/** Returns the rows of the tables of rules. */
export function rulesOf(page: string): Rule[] {
  return page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => /^[WM]\d\d$/.test(id))
    .map(([, id = '', , code = '', tests = '']) => ({
      id,
      code: quoted(code),
      tests: quoted(tests),
      open: tests === 'open',
    }));
}

/** Returns the rows of the tables of situations, whose tests are listed by hand: title and last column. */
export function situationsOf(page: string): { situation: string; tests: string[] }[] {
  const [, ...parts] = page.split(/^## Our reading.*$/m);
  return parts
    .flatMap((part) => part.split('\n'))
    .filter((line) => /^\| (?!situation |---|id |W\d\d |M\d\d )/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, situation = '', , tests = '']) => ({ situation, tests: quoted(tests) }));
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/**
 * Returns the test files below a folder, except the test of the page itself.
 * @param except Subfolders with a page of their own.
 */
export function readTests(folder: string, except: readonly string[] = []): TestFile[] {
  const read = (place: string): TestFile[] =>
    readdirSync(path.join(folder, place), { withFileTypes: true }).flatMap((entry) => {
      const file = path.posix.join(place, entry.name);
      if (entry.isDirectory()) {
        const skipped =
          /^(\..*|node_modules|build|dist)$/.test(entry.name) || except.includes(file);
        return skipped ? [] : read(file);
      }
      if (!/\.(test|spec)\.tsx?$/.test(file) || entry.name === 'contract.test.ts') return [];
      return [{ file, ids: idsIn(readFileSync(path.join(folder, file), 'utf8')) }];
    });
  return read('');
}

/** Returns the ids in brackets, as in `[W03]` and `[W01 W03]`. Comments are ignored. */
export function idsIn(text: string): string[] {
  const code = text.replaceAll(/(?<=^|[\s{(])\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');
  return [...code.matchAll(/\[([WM]\d[^\]]*)\]/g)].flatMap(([, ids = '']) => ids.split(/,? /));
}

/**
 * Returns the page with its last column regenerated. If the two sides of a merge conflict are then equal, one is
 * kept, which resolves conflicts that concern the generated column only.
 */
export function withProofs(page: string, tests: readonly TestFile[]): string {
  const written = page.replaceAll(
    /^(\| ([WM]\d\d) +\|.*\|)([^|\n]*)\|$/gm,
    (_, row: string, id: string, last: string) => {
      const names = citing(id, tests).map((file) => `\`${nameOf(file)}\``);
      const proofs = [...new Set(names)].sort().join(', ');
      return `${row} ${proofs || (last.trim() === 'open' ? 'open' : '')} |`;
    },
  );
  return written.replaceAll(
    /^<{7} .*\n([^]*?)(?:^\|{7}.*\n[^]*?)?^={7}\n([^]*?)^>{7} .*\n/gm,
    (conflict, ours: string, theirs: string) => (ours === theirs ? ours : conflict),
  );
}

/**
 * Returns one line for each problem.
 * @param others Rules of another page, which these tests may cite too.
 */
export function faults(
  rules: readonly Rule[],
  tests: readonly TestFile[],
  others: readonly Rule[] = [],
): string[] {
  const found: string[] = [];
  const known = new Set([...rules, ...others].map(({ id }) => id));
  for (const { id, tests: named, open } of rules) {
    const files = citing(id, tests);
    if (!open && files.length === 0) found.push(`${id} has no test`);
    if (open && files.length > 0) found.push(`${id} is open no more`);
    for (const name of named) {
      if (!files.some((file) => nameOf(file) === name)) found.push(`${name} does not cite ${id}`);
    }
    for (const file of open ? [] : files) {
      if (!named.includes(nameOf(file))) found.push(`${id} is cited in ${file} too`);
    }
  }
  for (const { file, ids } of tests) {
    for (const id of new Set(ids)) {
      if (!known.has(id)) found.push(`${file} cites ${id}, which is no rule`);
    }
  }
  const names = tests.filter(({ ids }) => ids.length > 0).map(({ file }) => nameOf(file));
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index))) {
    found.push(`${name} is the name of two files`);
  }
  return found;
}

/** Returns the situations without a test, and those that list a test file that does not exist. */
export function situationFaults(page: string, tests: readonly TestFile[]): string[] {
  const names = new Set(tests.map(({ file }) => nameOf(file)));
  return situationsOf(page).flatMap(({ situation, tests: named }) => [
    ...(named.length === 0 ? [`“${situation}” names no test`] : []),
    ...named.filter((name) => !names.has(name)).map((name) => `there is no ${name}`),
  ]);
}

function citing(id: string, tests: readonly TestFile[]): string[] {
  return tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file);
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
