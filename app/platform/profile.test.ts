import { expect, test } from 'vitest';
import { toSafeProfile } from './profile';

const nobody = {
  key: '',
  displayName: null,
  credits: null,
  plan: null,
  email: null,
};

test.each([
  [null],
  [undefined],
  [0],
  ['text'],
  [true],
  [[]],
  [[1]],
  [{}],
  [{ name: '  ' }],
  [{ name: {} }],
  [{ id: null }],
])('a profile of %j is an unnamed one [W20]', (value) => {
  expect(toSafeProfile(value)).toEqual(nobody);
});

test.each([
  [{ display_name: 'Ada L', name: 'ada' }, 'Ada L'],
  [{ displayName: 'Ada L' }, 'Ada L'],
  [{ name: ' Ada ' }, 'Ada'],
  [{ username: 'ada' }, 'ada'],
  [{ login: 'ada' }, 'ada'],
  [{ email: 'ada@example.test' }, 'ada@example.test'],
  [{ name: '', login: 'ada' }, 'ada'],
  [{ name: 7 }, '7'],
])('shows %j as %s', (value, name) => {
  expect(toSafeProfile(value).displayName).toBe(name);
});

test.each([
  [{ id: 7 }, '7'],
  [{ sub: 's' }, 's'],
  [{ user_id: 'u' }, 'u'],
  [{ userId: 'u' }, 'u'],
  [{ email: 'ada@example.test', name: 'Ada' }, 'ada@example.test'],
  [{ name: 'Ada' }, 'Ada'],
])('tells accounts apart by what %j has: %s', (value, key) => {
  expect(toSafeProfile(value).key).toBe(key);
});

test.each([
  [0, 0],
  [12.5, 12.5],
  ['12', null],
  [null, null],
  [Infinity, null],
  [NaN, null],
  [{}, null],
])('credits of %j are %j', (credits, shown) => {
  expect(toSafeProfile({ credits }).credits).toBe(shown);
});

test('nothing crosses but the safe fields [W20]', () => {
  const profile = toSafeProfile({
    id: 'u1',
    name: 'Ada',
    access_token: 'canary',
    internal: { ledger: 'canary' },
    roles: ['canary'],
    key: 'canary',
  });
  expect(Object.keys(profile).sort()).toEqual(['credits', 'displayName', 'email', 'key', 'plan']);
  expect(JSON.stringify(profile)).not.toContain('canary');
});

test('a name as long as a book is cut', () => {
  expect(toSafeProfile({ name: 'x'.repeat(100_000) }).displayName).toHaveLength(200);
});

test('a profile cannot reach the prototype', () => {
  const value: unknown = JSON.parse('{"__proto__":{"name":"Eve"},"constructor":"x"}');
  expect(toSafeProfile(value)).toEqual(nobody);
});
