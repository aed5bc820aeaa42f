/** What `published` excuses, asked of the store at the moment. */
import Libsql from 'libsql';
import { beforeEach, expect, test } from 'vitest';
import type { PublishedRows } from '@gatehouse/simulator';
import { createCookieJar } from '@gatehouse/simulator/http';
import type { Route } from '../inventory/route.ts';
import { createAccount } from '../people/people.ts';
import { wordsIn } from '../people/words.ts';
import { openPublished } from './published.ts';
import type { Query } from './store.ts';

const people = [createAccount(createCookieJar()), createAccount(createCookieJar())] as const;
const [owner, other] = people;
const word = (place: string) => owner.mark.replace(/qz$/, `${place}qz`);

const routeOf = (access: Route['access'], showsPublished: boolean): Route => ({
  ...{ id: '/x/:id', path: '/x/:id', file: 'x', kind: 'page', isLayout: false, isPublic: false },
  ...{ access, showsPublished, loader: null, action: null },
});
const gallery = routeOf('none', true);
const shelf = routeOf('account', false);

const entries: PublishedRows[] = [
  { table: 'pot', columns: ['title'], where: 'is_public' },
  {
    table: 'account',
    columns: ['name'],
    where: 'id in (select account_id from pot where is_public)',
  },
  { table: 'loan', columns: ['message'], members: ['lender_id', 'borrower_id'] },
];

let database: Libsql.Database;
let query: Query;

beforeEach(() => {
  database = new Libsql(':memory:');
  database.exec(`
    create table account (id integer primary key, name text, email text unique);
    create table letter (id integer primary key, email text);
    create table pot (id text, account_id integer, title text, note text, is_public integer);
    create table loan (id text, lender_id integer, borrower_id integer, message text);
    insert into pot values ('pot-0001', 1, '${word('bbb')}, a pot', '${word('ccc')}', 1), ('pot-0002', 1, '${word('ddd')}', '', 0);
    insert into loan values ('loan-0001', 1, 2, '${word('eee')}'), ('loan-0002', 1, 3, '${word('fff')}');
  `);
  const add = database.prepare('insert into account values (?, ?, ?)');
  for (const [index, { name, email }] of people.entries()) add.run([index + 1, name, email]);
  // Another table may have the address as well, beside ids that are none of accounts.
  database.prepare('insert into letter values (1, ?)').run([other.email]);
  query = (sql, values = []) => database.prepare(sql).all([...values]) as Record<string, unknown>[];
});

/** What is left of all words of the owner. */
function leftOn(route: Route, account: typeof other | null): string[] {
  const rules = openPublished(entries, query);
  const text = ['bbb', 'ccc', 'ddd', 'eee', 'fff'].map(word).join(' ').toUpperCase();
  return [...rules.excuse(text, rules.shownOn(route, account), route)];
}

test('everybody may see the named columns of public rows, where a route shows what is published', () => {
  expect(leftOn(gallery, null)).toEqual(['ccc', 'ddd', 'eee', 'fff'].map(word));
  expect(leftOn(shelf, null)).toHaveLength(5);
});

test('where the store cannot be asked, nothing is excused, and what a rule is about is unknown', () => {
  const rules = openPublished(entries, null);
  expect(rules.shownOn(gallery, null)).toEqual([]);
  expect([gallery, shelf, routeOf('none', false)].map(rules.isUnknown)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a row that was withdrawn excuses nothing', () => {
  database.exec('update pot set is_public = 0');
  expect(leftOn(gallery, null)).toHaveLength(5);
});

test('a member may see a row of two members, on a route that needs an account', () => {
  expect(leftOn(shelf, other)).toEqual(['bbb', 'ccc', 'ddd', 'fff'].map(word));
  expect(leftOn(gallery, other)).toContain(word('eee'));
});

test('with a role, only an account that has it may see the rows, on the routes that name it', () => {
  const ofRole: PublishedRows[] = [
    { table: 'pot', columns: ['title'], where: 'true', role: 'admin' },
  ];
  const rules = openPublished(ofRole, query);
  const desk: Route = { ...shelf, role: 'admin' };
  const admin = { ...other, roles: new Set(['admin']) };
  expect(rules.shownOn(desk, admin)).toHaveLength(2);
  expect(rules.namesShared(desk, ['pot-0002'], admin)).toBe(true);
  for (const account of [other, null]) expect(rules.shownOn(desk, account)).toEqual([]);
  for (const route of [shelf, gallery, { ...shelf, role: 'editor' }])
    expect(rules.shownOn(route, admin)).toEqual([]);
  expect(rules.isPublic(word('bbb'))).toBe(false);
  expect([desk, shelf].map(openPublished(ofRole, null).isUnknown)).toEqual([true, false]);
});

test('a name is excused as a whole, and the e-mail address with the same mark is not', () => {
  const rules = openPublished(entries, query);
  const leftOf = (text: string) => rules.excuse(text, rules.shownOn(gallery, null), gallery);
  expect(leftOf(`by ${owner.name}, <a href="/x?by=${owner.name.replace(' ', '+')}">`).size).toBe(0);
  expect(leftOf(`${owner.name}, ${owner.email}`)).toEqual(wordsIn(owner.mark));
  expect(leftOf(other.name)).toEqual(wordsIn(other.mark));
});

test('an address names rows by their keys, all of which may be seen', () => {
  const rules = openPublished(entries, query);
  expect(rules.namesShared(gallery, ['pot-0001'], other)).toBe(true);
  expect(rules.namesShared(gallery, ['pot-0002'], other)).toBe(false);
  expect(rules.namesShared(shelf, ['loan-0001'], other)).toBe(true);
  expect(rules.namesShared(shelf, ['loan-0002'], other)).toBe(false);
  expect(rules.namesShared(gallery, ['pot-0001', 'pot-0002'], other)).toBe(false);
  // Any table may have a number.
  expect(rules.namesShared(shelf, ['1'], other)).toBe(false);
});

test('a short value is excused as the whole of an element or of a value alone', () => {
  database.exec(`update pot set title = '${owner.mark}' where is_public`);
  const rules = openPublished(entries, query);
  const leftOf = (text: string) => rules.excuse(text, rules.shownOn(gallery, null), gallery);
  expect(leftOf(`<li>${owner.mark}</li> {"title":"${owner.mark}"}`).size).toBe(0);
  expect(leftOf(`<li>${owner.mark} and more</li>`)).toEqual(wordsIn(owner.mark));
});

test('whom a select names may see a row, and does not own it', () => {
  const members = ['select borrower_id from loan where lender_id = pot.account_id'];
  const rules = openPublished([{ table: 'pot', columns: ['title'], members }], query);
  expect(rules.shownOn(shelf, other)).toHaveLength(2);
  const rows = query('select * from pot').map((row) => JSON.stringify(row));
  expect(rows.filter((row) => rules.ownedTooBy(other)('pot', row))).toEqual([]);
});

test('a row belongs to its members, and what was excused is counted by rows', () => {
  const rules = openPublished(entries, query);
  const [mine, theirs] = query('select * from loan').map((row) => JSON.stringify(row));
  const concerns = rules.ownedTooBy(other);
  expect([concerns('loan', mine ?? ''), concerns('loan', theirs ?? '')]).toEqual([true, false]);
  rules.excuse(word('bbb'), rules.shownOn(gallery, null), gallery);
  expect(rules.excused()).toContainEqual({ table: 'pot', rows: 1, values: 1, routes: ['/x/:id'] });
  expect([rules.hasSeen(gallery), rules.isPublic(word('ddd'))]).toEqual([true, false]);
});
