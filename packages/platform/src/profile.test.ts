import { expect, test } from 'vitest';
import { toSafeProfile, toSafeProfileInBrowser } from './profile.ts';

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
])('the profile %j gives an unnamed visitor [W20]', (value) => {
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
])('displays %j as %s', (value, name) => {
  expect(toSafeProfile(value).displayName).toBe(name);
});

test.each([{ id: 7, name: 'Ada' }, { handle: '@adé', email: 'a@example.test' }, {}])(
  'the browser’s variant gives the same result for %j',
  async (value) => {
    expect(await toSafeProfileInBrowser(value)).toEqual(toSafeProfile(value));
  },
);

const keyOf = (value: unknown) => toSafeProfile(value).key;
const long = 'x'.repeat(200);

test.each([
  [{ id: 7 }, { id: 8 }],
  [{ sub: 's' }, { sub: 't' }],
  [{ user_id: 'u' }, { user_id: 'v' }],
  [{ userId: 'u' }, { userId: 'v' }],
  [{ id: `${long}a` }, { id: `${long}b` }],
  [{ email: 'ada@example.test' }, { email: 'bob@example.test' }],
  [{ name: 'Ada' }, { name: 'Bob' }],
  [{ name: 7 }, { name: 8 }],
  [{ name: `${long}a` }, { name: `${long}b` }],
  [
    { name: 'Ada', email: 'a@example.test' },
    { name: 'Ada', email: 'b@example.test' },
  ],
  [{ handle: '@ada' }, { handle: '@bob' }],
  [
    { plan: 'pro', uid: 7 },
    { plan: 'pro', uid: 8 },
  ],
  [{ account_no: '0071' }, { account_no: '0072' }],
  [{ user: { memberId: 7 } }, { user: { memberId: 8 } }],
  [{ data: [{ nick: 'ada' }] }, { data: [{ nick: 'bob' }] }],
])('gives %j and %j different keys', (profile, other) => {
  expect(keyOf(profile)).not.toBe(keyOf(other));
  expect(keyOf({ ...profile })).toBe(keyOf(profile));
});

test.each([
  [
    { id: 'u1', name: 'Ada' },
    { name: 'Ada L', credits: 3, id: 'u1' },
  ],
  [
    { handle: '@ada', credits: 9 },
    { credits: 8, handle: '@ada' },
  ],
  [
    { handle: '@ada', team: 'a' },
    { team: 'a', handle: '@ada' },
  ],
  [
    { handle: '@ada', credits: '9.50' },
    { handle: '@ada', credits: '8' },
  ],
  [
    { handle: '@ada', usage: { images: 1e21 } },
    { handle: '@ada', usage: { images: 2 } },
  ],
  [
    { handle: '@ada', seen: '2026-11-22T07:00:00Z' },
    { handle: '@ada', seen: '2026-11-23' },
  ],
  [
    { handle: '@ada', avatar: 'https://cdn.test/a.png?sig=1' },
    { handle: '@ada', avatar: 'https://cdn.test/a.png?sig=2' },
  ],
  [
    { handle: '@ada', active: true, team: null },
    { handle: '@ada', active: false },
  ],
])('gives %j and %j the same key', (profile, other) => {
  expect(keyOf(profile)).toBe(keyOf(other));
});

test.each([[null], ['text'], [[1]], [{}], [{ name: ' ' }], [{ credits: 5, active: true }]])(
  '%j has no key: nothing in it identifies a person',
  (value) => {
    expect(keyOf(value)).toBe('');
  },
);

test('the key does not reveal the identifying fields [W20]', () => {
  const key = keyOf({ handle: 'canary', phone: '+44 canary' });
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(keyOf({ id: 'canary' })).not.toContain('canary');
});

test('a deeply nested profile has a key', () => {
  const nested: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  expect(keyOf({ handle: '@ada', nested })).toBe(keyOf({ handle: '@ada' }));
});

test.each([
  [0, 0],
  [12.5, 12.5],
  ['12', null],
  [null, null],
  [Infinity, null],
  [NaN, null],
  [{}, null],
])('credits %j are read as %j', (credits, shown) => {
  expect(toSafeProfile({ credits }).credits).toBe(shown);
});

test('only the safe fields are passed on [W20]', () => {
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

test.each(['x', '😀', 'é'.normalize('NFD')])(
  'an overlong name is truncated between characters: %s',
  (letter) => {
    const of = (length: number) => toSafeProfile({ name: letter.repeat(length) }).displayName;
    expect(of(200)).toBe(letter.repeat(200));
    expect(of(100_000)?.normalize('NFD')).toBe(letter.repeat(200));
  },
);

test('a profile cannot pollute the prototype', () => {
  const value: unknown = JSON.parse('{"__proto__":{"name":"Eve"},"constructor":"x"}');
  expect(toSafeProfile(value)).toEqual({ ...nobody, key: expect.any(String) as string });
});
