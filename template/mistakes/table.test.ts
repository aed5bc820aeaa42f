/** What docs/security.md says the proof tells is what is made and proven here (`npm run test:release`). */
import { expect, test } from 'vitest';
import { mistakes } from './mistakes';
import { readRows } from './table';

/** Proven by sites of their own, in e2e/boundary/test: a route cannot make the one, and nothing is left after the other. */
const provenElsewhere = [
  'a listener without the check of other sites',
  'an error that nobody catches, in a timer, a promise or an event',
];

const toldByProof = readRows()
  .filter(({ who }) => /\b(proof|ledger)\b/.test(who))
  .map(({ mistake }) => mistake)
  .filter((mistake) => !provenElsewhere.includes(mistake));

test('each row that names the proof or the ledger has a mistake, and each mistake such a row', () => {
  expect(toldByProof.length).toBeGreaterThan(30);
  expect([...new Set(mistakes.map(({ row }) => row))].sort()).toEqual(toldByProof.sort());
});

test('each mistake has three phrasings at least, each with a name of its own', () => {
  expect(mistakes.filter(({ phrasings }) => Object.keys(phrasings).length < 3)).toEqual([]);
  const names = mistakes.flatMap(({ phrasings }) => Object.keys(phrasings));
  expect(new Set(names).size).toBe(names.length);
});
