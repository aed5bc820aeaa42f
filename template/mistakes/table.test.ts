/** What docs/security.md says the proof tells is what is made and proven here (`npm run test:release`). */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modules } from './mistake';
import { mistakes } from './mistakes';
import { readRows } from './table';

/**
 * Proven by sites of their own, in e2e/boundary/test: a route cannot make the one, nothing is left after the other, and
 * the rest wants people with site accounts.
 */
const provenElsewhere = [
  'a listener without the check of other sites',
  'an error that nobody catches, in a timer, a promise or an event',
  'a row that is read by its id alone',
  'a row that is changed or removed by its id alone; an owner that a form names',
  'an action that writes before the guard of the account, whatever it answers',
  "a site account that passes for the platform's user",
  "a password, its hash, a session's token or its digest, in an answer or the log; an e-mail address in the log",
  'a post of another site that is refused once it was done',
  'a page that wants a site account, and whose sign-in does not lead back',
  'a page that goes elsewhere by itself, and never stays',
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

test('what their sources import is exported by this site', () => {
  const own = Object.entries(modules).filter(([from]) => /^~\/(?!mistakes\/)/.test(from));
  const missing = own.flatMap(([from, names]) => {
    const file = ['.ts', '.tsx']
      .map((end) => from.replace('~', 'app') + end)
      .find((one) => existsSync(one));
    const code = file === undefined ? '' : readFileSync(file, 'utf8');
    return names
      .split(' ')
      .filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(code))
      .map((name) => `${name} of ${from}`);
  });
  expect(missing).toEqual([]);
});
