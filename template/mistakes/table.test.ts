/** The rows of docs/security.md that name the proof match the mistakes in this folder (`npm run test:release`). */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modules } from './mistake';
import { mistakes } from './mistakes';
import { readRows } from './table';

/**
 * Covered in packages/proof/src/test by separate sites: the first is not a mistake in a route, the second crashes the site,
 * and most others need site accounts.
 */
const provenElsewhere = [
  'a listener without the cross-site check',
  'an uncaught error in a timer, a promise or an event',
  'a row read by its id alone',
  'a draft or a withdrawn row that others see',
  'a published row on a page that is not for it',
  'a row changed or deleted by its id alone; an owner taken from a form',
  "an action that writes before the account's guard",
  "a site account accepted as the platform's user",
  "a password, its hash, a session's token or its digest, in an answer or the log; an e-mail address in the log",
  'a cross-site post that is refused only after it took effect',
  'a page for site accounts whose sign-in loses the return path',
  'a page that keeps navigating by itself',
];

const reportedByProof = readRows()
  .filter(({ who }) => /\b(proof|ledger)\b/.test(who))
  .map(({ mistake }) => mistake)
  .filter((mistake) => !provenElsewhere.includes(mistake));

test('each row that names the proof or the ledger has a mistake, and each mistake has such a row', () => {
  expect(reportedByProof.length).toBeGreaterThan(30);
  expect([...new Set(mistakes.map(({ row }) => row))].sort()).toEqual(reportedByProof.sort());
});

test('each mistake has at least three variants, with unique names', () => {
  expect(mistakes.filter(({ variants }) => Object.keys(variants).length < 3)).toEqual([]);
  const names = mistakes.flatMap(({ variants }) => Object.keys(variants));
  expect(new Set(names).size).toBe(names.length);
});

test('the site and its packages export every name that the sources import', async () => {
  const own = Object.entries(modules).filter(([from]) =>
    /^(~\/(?!mistakes\/)|@gatehouse\/)/.test(from),
  );
  const missing = await Promise.all(
    own.map(async ([from, names]) => {
      const exported = from.startsWith('~') ? namesIn(from) : Object.keys(await namespaceOf(from));
      return names
        .split(' ')
        .flatMap((name) => (exported.includes(name) ? [] : `${name} of ${from}`));
    }),
  );
  expect(missing.flat()).toEqual([]);
});

const namespaceOf = (from: string) => import(from) as Promise<object>;

/** The words in a file's exports. */
function namesIn(from: string): string[] {
  const file = ['.ts', '.tsx']
    .map((end) => from.replace('~', 'app') + end)
    .find((file) => existsSync(file));
  const code = file === undefined ? '' : readFileSync(file, 'utf8');
  return (
    code
      .match(/^export (const \{[^}]*|.*)/gm)
      ?.join('\n')
      .match(/\w+/g) ?? []
  );
}
