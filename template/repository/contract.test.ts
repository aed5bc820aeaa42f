/** The pages of the website's contract are up to date: they equal the output of `npm run contract`, and name only existing files. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  faults,
  idsIn,
  readTests,
  rulesOf,
  situationFaults,
  withProofs,
} from '../../packages/mcp/scripts/contract-page.ts';

const root = new URL('../../', import.meta.url);
const page = ['platform', 'server']
  .map((name) => readFileSync(new URL(`packages/${name}/docs/contract.md`, root), 'utf8'))
  .join('\n');
/** Tests in this repository that need the site and the MCP server cite the rules of both. */
const mcpRules = rulesOf(readFileSync(new URL('packages/mcp/docs/contract.md', root), 'utf8'));
const tests = readTests(fileURLToPath(root), ['packages/mcp']);

test('the pages list every rule of the website once', () => {
  const ids = Array.from({ length: 33 }, (_, index) => `W${String(index + 1).padStart(2, '0')}`);
  expect(
    rulesOf(page)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ids);
});

test('the pages are what `npm run contract` writes', () => {
  expect(tests.length).toBeGreaterThan(20);
  expect(withProofs(page, tests)).toBe(page);
});

test('every rule has a test, and every test cites rules that exist', () => {
  expect(faults(rulesOf(page), tests, mcpRules)).toEqual([]);
});

test('no rule is open', () => {
  expect(
    rulesOf(page)
      .filter(({ open }) => open)
      .map(({ id }) => id),
  ).toEqual([]);
});

test('every rule names the code that implements it, and every named file exists', () => {
  for (const { id, code } of rulesOf(page)) {
    expect([id, code.length > 0]).toEqual([id, true]);
    expect(code.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  }
  expect(situationFaults(page, tests)).toEqual([]);
});

test('a rule without a test, a test without a rule, and an inexact row are reported', () => {
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

test('a title can cite one id or several in brackets', () => {
  expect(idsIn("test('a [W01]'); test('b [W02 W03]'); test('c [W04, M05] [W06]')")).toEqual([
    'W01',
    'W02',
    'W03',
    'W04',
    'M05',
    'W06',
  ]);
});

const cites = (file: string, ...ids: string[]) => ({ file, ids });

test('the last column is written from the titles, and nothing else is changed', () => {
  const stale = [
    'A word about [W01].',
    '| W01 | a rule | `app/a.ts` | `gone.test.ts` |',
    '| W02 | a rule | `app/a.ts` | open |',
    '| W03 | a rule | `app/a.ts` | `gone.test.ts` |',
    '| a situation | what happens | `kept.test.ts` |',
  ];
  const found = [cites('app/b.test.ts', 'W01', 'W01'), cites('e2e/a.spec.ts', 'W04', 'W01')];
  expect(withProofs(stale.join('\n'), found).split('\n')).toEqual([
    'A word about [W01].',
    '| W01 | a rule | `app/a.ts` | `a.spec.ts`, `b.test.ts` |',
    '| W02 | a rule | `app/a.ts` | open |',
    '| W03 | a rule | `app/a.ts` |  |',
    '| a situation | what happens | `kept.test.ts` |',
  ]);
});

test('a merge conflict in the last column is resolved, and any other is left', () => {
  const conflict = (ours: string, theirs: string, base = '') =>
    `<<<<<<< HEAD\n${ours}${base}=======\n${theirs}>>>>>>> branch\n`;
  const row = (tests: string, code = 'a') => `| W01 | a rule | \`app/${code}.ts\` | ${tests} |\n`;
  const found = [cites('app/a.test.ts', 'W01')];
  const settled = conflict(row('`b.test.ts`'), row('open'));
  const withBase = conflict(row('`b.test.ts`'), row('open'), `||||||| 1234567\n${row('')}`);
  expect(withProofs(`before\n${settled}after\n${withBase}`, found)).toBe(
    `before\n${row('`a.test.ts`')}after\n${row('`a.test.ts`')}`,
  );
  expect(withProofs(conflict(row('open', 'b'), row('open')), found)).toBe(
    conflict(row('`a.test.ts`', 'b'), row('`a.test.ts`')),
  );
});

test('a situation without a test, and one whose test does not exist, are reported', () => {
  const table = [
    '| a rule | before the tables of situations |  |',
    '## Our reading, where the contract is silent',
    '| situation | what happens | proved in |',
    '| --- | --- | --- |',
    '| one | this | `a.test.ts`, `gone.test.ts` |',
    '| two | `that` |  |',
  ].join('\n');
  expect(situationFaults(table, [cites('app/a.test.ts')])).toEqual([
    'there is no gone.test.ts',
    '“two” names no test',
  ]);
});
