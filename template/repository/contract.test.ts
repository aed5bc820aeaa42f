/** `docs/contract.md` tells the truth: it names for each rule the tests that cite it, and no others. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');

interface Rule {
  id: string;
  code: string[];
  /** By their last name. */
  tests: string[];
  /** Nothing can prove it yet. */
  open: boolean;
}

/** The rows of the tables of rules. */
function rulesOf(text: string): Rule[] {
  return text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => /^[WM]\d\d$/.test(id))
    .map(([, id = '', , code = '', tests = '']) => ({
      id,
      code: filesIn(code),
      tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
      open: tests === 'open',
    }));
}

function filesIn(text: string): string[] {
  return [
    ...text.matchAll(
      /`((?:app|e2e|docs|scripts|packages|template|mcp-server)\/[^`]+|[\w.]+\.js)`/g,
    ),
  ].map(([, file = '']) => file);
}

const titled = Object.entries(
  import.meta.glob<string>(
    [
      '../../{app,docs,e2e,packages,scripts,template}/**/*.{test,spec}.{ts,tsx}',
      '../../mcp-server/{conformance,example-service,scripts,src,test}/**/*.{test,spec}.ts',
      '!./contract.test.ts',
    ],
    { query: '?raw', import: 'default', eager: true },
  ),
).map(([file, text]) => ({ file: path.posix.join('template/repository', file), ids: idsIn(text) }));

/** The ids in brackets, as in `[W03]` and `[W01 W03]`. What comments say does not count. */
function idsIn(text: string): string[] {
  const code = text.replaceAll(/(?<=^|[\s{(])\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');
  return [...code.matchAll(/\[([WM]\d[^\]]*)\]/g)].flatMap(([, ids = '']) => ids.split(/,? /));
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => letter + String(index + 1).padStart(2, '0'));
}

/** What is wrong, one line each. */
function faults(rules: Rule[], tests: { file: string; ids: string[] }[]): string[] {
  const found: string[] = [];
  const known = new Set(rules.map(({ id }) => id));
  for (const { id, tests: named, open } of rules) {
    const citing = tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => file);
    if (!open && citing.length === 0) found.push(`${id} has no test`);
    if (open && citing.length > 0) found.push(`${id} is open no more`);
    for (const name of named) {
      if (!citing.some((file) => nameOf(file) === name)) found.push(`${name} does not cite ${id}`);
    }
    for (const file of open ? [] : citing) {
      if (!named.includes(nameOf(file))) found.push(`${id} is cited in ${file} too`);
    }
  }
  for (const { file, ids } of tests) {
    for (const id of new Set(ids)) {
      if (!known.has(id)) found.push(`${file} cites ${id}, which is no rule`);
    }
  }
  const names = tests.filter(({ ids }) => ids.length > 0).map(({ file }) => nameOf(file));
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index))) {
    found.push(`${name} is the name of two files`);
  }
  return found;
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

test('the page lists every rule of the website and of the MCP server once', () => {
  expect(rulesOf(page).map(({ id }) => id)).toEqual([...numbered('W', 33), ...numbered('M', 35)]);
});

test('every rule names the tests that cite it, and every test cites rules that exist', () => {
  expect(titled.length).toBeGreaterThan(20);
  expect(faults(rulesOf(page), titled)).toEqual([]);
});

test('only what waits for in-app accounts is open', () => {
  expect(
    rulesOf(page)
      .filter(({ open }) => open)
      .map(({ id }) => id),
  ).toEqual(['W29']);
});

test('every file the page names is there, and every rule names one', () => {
  const absent = filesIn(page).filter(
    (file) => !existsSync(new URL(`../../${file}`, import.meta.url)),
  );
  expect(absent).toEqual([]);
  for (const { id, code, tests, open } of rulesOf(page)) {
    expect([id, code.length > 0, open || tests.length > 0]).toEqual([id, true, true]);
  }
});

test('a rule without a test, a test without a rule, and a row that is not exact are found', () => {
  const table = [
    '| W01 | a rule | `app/a.ts` | `a.test.ts` |',
    '| W02 | a rule | `app/a.ts` | `a.test.ts` |',
    '| W03 | a rule | `app/a.ts` | open |',
    '| W04 | a rule | `app/a.ts` | `a.test.ts`, `c.test.ts` |',
    '| W05 | a rule | `app/a.ts` | `b.test.ts` |',
    '| M35 | a rule | `mcp-server/src/a.ts` | `b.test.ts` |',
  ].join('\n');
  const a = "// not [W02]\ntest('x [W01] [W03]'); /* nor [W02] */ test('y [W99]'); test('z [W04]')";
  const b =
    "import.meta.glob('./**/*.ts'); test('x [W04 W05 W98 M36]'); test('y [W05,W01]', /* */)";
  const tests = [
    { file: 'app/a.test.ts', ids: idsIn(a) },
    { file: 'e2e/b.test.ts', ids: idsIn(b) },
    { file: 'app/one/b.test.ts', ids: idsIn('[M35]') },
  ];
  expect(faults(rulesOf(table), tests)).toEqual([
    'W02 has no test',
    'a.test.ts does not cite W02',
    'W03 is open no more',
    'c.test.ts does not cite W04',
    'W04 is cited in e2e/b.test.ts too',
    'app/a.test.ts cites W99, which is no rule',
    'e2e/b.test.ts cites W98, which is no rule',
    'e2e/b.test.ts cites M36, which is no rule',
    'e2e/b.test.ts cites W05,W01, which is no rule',
    'b.test.ts is the name of two files',
  ]);
});

test('ids are read one at a time and several at once', () => {
  expect(idsIn("test('a [W01]'); test('b [W02 W03]'); test('c [W04, M05] [W06]')")).toEqual([
    'W01',
    'W02',
    'W03',
    'W04',
    'M05',
    'W06',
  ]);
});
