/** Checks `docs/contract.md` against the test titles and the files that it names. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  faults,
  readTests,
  rulesOf,
  situationFaults,
  withProofs,
} from '../../../scripts/contract-page.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/contract.md', root), 'utf8');
const tests = readTests(fileURLToPath(root));

test('the page lists every rule of the MCP server once', () => {
  const ids = Array.from({ length: 35 }, (_, index) => `M${String(index + 1).padStart(2, '0')}`);
  expect(rulesOf(page).map(({ id }) => id)).toEqual(ids);
});

test('the page equals the output of `npm run contract`', () => {
  expect(tests.length).toBeGreaterThan(20);
  expect(withProofs(page, tests)).toBe(page);
});

test('every rule has a test, and every test cites rules that exist', () => {
  expect(faults(rulesOf(page), tests)).toEqual([]);
});

test('every rule names the code that implements it, and every file exists', () => {
  for (const { id, code, open } of rulesOf(page)) {
    expect([id, code.length > 0, open]).toEqual([id, true, false]);
    expect(code.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  }
  expect(situationFaults(page, tests)).toEqual([]);
});

test('a rule without a test, an unknown rule and a stale row are detected', () => {
  const table = ['| M01 | a rule | `src/a.ts` | `b.test.ts` |', '| M02 | a rule | `src/a.ts` | |'];
  const cited = [{ file: 'src/a.test.ts', ids: ['M01', 'M99'] }];
  expect(faults(rulesOf(table.join('\n')), cited)).toEqual([
    'b.test.ts does not cite M01',
    'M01 is cited in src/a.test.ts too',
    'M02 has no test',
    'src/a.test.ts cites M99, which is no rule',
  ]);
  expect(withProofs(table[0] ?? '', cited)).toBe('| M01 | a rule | `src/a.ts` | `a.test.ts` |');
});
