/** `docs/contract.md` tells the truth: each rule has a test, each test a rule, and each file is there. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('contract.md', import.meta.url), 'utf8');

interface Rule {
  id: string;
  code: string[];
  tests: string[];
  /** Nothing can prove it yet. */
  open: boolean;
}

/** The rows of the first table. */
function rulesOf(text: string): Rule[] {
  return text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => /^[WM]\d\d$/.test(id))
    .map(([, id = '', , code = '', tests = '']) => ({
      id,
      code: filesIn(code),
      tests: filesIn(tests),
      open: tests === 'open',
    }));
}

function filesIn(text: string): string[] {
  return [...text.matchAll(/`((?:app|e2e|docs|scripts|mcp-server)\/[^`]+|[\w.]+\.js)`/g)].map(
    ([, file = '']) => file,
  );
}

const titled = Object.entries(
  import.meta.glob<string>(
    [
      '../{app,docs,e2e,scripts}/**/*.{test,spec}.{ts,tsx}',
      '../mcp-server/{src,test}/**/*.{test,spec}.ts',
      '!../docs/contract.test.ts',
    ],
    { query: '?raw', import: 'default', eager: true },
  ),
).map(([file, text]) => ({ file: file.replace('../', ''), ids: idsIn(text) }));

/** The ids that titles of tests carry: what comments say does not count. */
function idsIn(text: string): string[] {
  const code = text.replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');
  return [...code.matchAll(/\[([WM]\d\d)\]/g)].map(([, id = '']) => id);
}

/** What is wrong, one line each. */
function faults(rules: Rule[], tests: { file: string; ids: string[] }[]): string[] {
  const found: string[] = [];
  const known = new Set(rules.map(({ id }) => id));
  const proved = new Set(tests.flatMap(({ ids }) => ids));
  for (const { id, tests: named, open } of rules) {
    if (!open && !proved.has(id)) found.push(`${id} has no test`);
    if (open && proved.has(id)) found.push(`${id} is open no more`);
    for (const file of named) {
      const cited = tests.find((one) => one.file === file)?.ids.includes(id);
      if (!cited) found.push(`${file} does not cite ${id}`);
    }
  }
  for (const { file, ids } of tests) {
    for (const id of new Set(ids)) {
      // The MCP server's table is still to come.
      if (id.startsWith('W') && !known.has(id)) found.push(`${file} cites ${id}, which is no rule`);
    }
  }
  return found;
}

test('the page lists every rule of the website once', () => {
  const ids = Array.from({ length: 33 }, (_, index) => `W${String(index + 1).padStart(2, '0')}`);
  expect(rulesOf(page).map(({ id }) => id)).toEqual(ids);
});

test('every rule has a test, and every test cites a rule that exists', () => {
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
    (file) => !existsSync(new URL(`../${file}`, import.meta.url)),
  );
  expect(absent).toEqual([]);
  for (const { id, code, tests, open } of rulesOf(page)) {
    expect([id, code.length > 0, open || tests.length > 0]).toEqual([id, true, true]);
  }
});

test('a rule without a test, a test without a rule and an empty claim are found', () => {
  const table = [
    '| W01 | a rule | `app/a.ts` | `app/a.test.ts` |',
    '| W02 | a rule | `app/a.ts` | `app/a.test.ts` |',
    '| W03 | a rule | `app/a.ts` | open |',
  ].join('\n');
  const text = "// not [W02]\ntest('x [W01] [W03]'); /* nor [W02] */ test('y [W99]')";
  const tests = [{ file: 'app/a.test.ts', ids: idsIn(text) }];
  expect(faults(rulesOf(table), tests)).toEqual([
    'W02 has no test',
    'app/a.test.ts does not cite W02',
    'W03 is open no more',
    'app/a.test.ts cites W99, which is no rule',
  ]);
});
