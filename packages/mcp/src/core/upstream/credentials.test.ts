import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Caller } from '../context/tool-context.ts';
import { createCredentials, type Credentials } from './credentials.ts';

const ann = { id: 'ann' };
const bob = { id: 'bob' };

function keep(credentials: Credentials, caller: Caller, secret: string) {
  credentials.keep(credentials.receive(caller, secret));
}

test('a caller’s own secret takes precedence over the environment’s [M30 M31]', () => {
  const credentials = createCredentials('shared');
  expect(credentials.of(ann)).toBe('Bearer shared');
  keep(credentials, ann, '  own\n');
  expect([credentials.of(ann), credentials.of(bob)]).toEqual(['Bearer own', 'Bearer shared']);
  expect(createCredentials().of(ann)).toBeUndefined();
});

test('a received secret can be tried, and has no other effect until it is kept [M30 M31]', () => {
  const credentials = createCredentials('shared');
  const first = credentials.receive(ann, 'first');
  const second = credentials.receive(ann, 'second');
  expect([first, second].map((given) => credentials.of(ann, given))).toEqual([
    'Bearer first',
    'Bearer second',
  ]);
  expect(credentials.of(ann)).toBe('Bearer shared');
  credentials.keep(second);
  credentials.keep(first);
  expect([credentials.of(ann), credentials.of(bob)]).toEqual(['Bearer first', 'Bearer shared']);
  // A handle of another store is unknown, and no other credential is used instead.
  const elsewhere = createCredentials().receive(ann, 'third');
  expect(() => credentials.of(ann, elsewhere)).toThrow('another store');
  expect(() => {
    credentials.keep(elsewhere);
  }).toThrow('another store');
});

test('the header and the scheme can be configured', () => {
  const credentials = createCredentials('key', { header: 'x-api-key', scheme: '' });
  expect([credentials.header, credentials.of(ann)]).toEqual(['x-api-key', 'key']);
});

test('a secret that is invalid in a header is rejected, and the previous one stays', () => {
  const credentials = createCredentials();
  keep(credentials, ann, 'good');
  for (const secret of ['', '  ', 'a\nb', 'a\0b', 'é', 'x'.repeat(4_097)]) {
    expect(() => credentials.receive(ann, secret)).toThrow(
      expect.objectContaining({ name: 'ToolError' }),
    );
  }
  expect(credentials.of(ann)).toBe('Bearer good');
});

test('memory is bounded: the least recently used secret is evicted', () => {
  const credentials = createCredentials(undefined, { capacity: 2 });
  keep(credentials, ann, 'a');
  keep(credentials, bob, 'b');
  void credentials.of(ann);
  keep(credentials, { id: 'cid' }, 'c');
  expect([ann, bob, { id: 'cid' }].map((caller) => credentials.of(caller))).toEqual([
    'Bearer a',
    undefined,
    'Bearer c',
  ]);
});

test('no secret is visible when the object is inspected [M31]', () => {
  const credentials = createCredentials('planted-environment');
  const given = credentials.receive(ann, 'planted-own');
  credentials.keep(given);
  const seen = [credentials, given].map(
    (value) => inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value),
  );
  expect(seen.join('')).not.toContain('planted');
});

/** An OAuth caller, whose secret is fetched for the granted scopes. */
const granted = (id: string, scopes: readonly string[], iat = 1): Caller => ({
  id,
  scopes,
  claims: { sub: id, scope: scopes.join(' '), iat, exp: iat + 60 },
});

function exchanging() {
  const exchanged: string[] = [];
  const credentials = createCredentials('shared', {
    ofCaller: ({ claims, scopes = [] }) =>
      claims &&
      (() => {
        exchanged.push(`${String(claims['sub'])} ${scopes.join('+')}`);
        return Promise.resolve({ secret: `${exchanged.length}`, expiresInSeconds: 600 });
      }),
  });
  return { exchanged, credentials };
}

test('a secret fetched for an OAuth caller is used for no other caller [M31]', async () => {
  const { exchanged, credentials } = exchanging();
  expect(await credentials.of(granted('ann', ['read']))).toBe('Bearer 1');
  expect(await credentials.of(granted('bob', ['read']))).toBe('Bearer 2');
  // A later token of the same grant reuses the fetched secret.
  expect(await credentials.of(granted('ann', ['read'], 2))).toBe('Bearer 1');
  expect(exchanged).toEqual(['ann read', 'bob read']);
  // A caller without claims uses the server's secret, or its own if it has connected an account.
  expect(credentials.of(ann)).toBe('Bearer shared');
  keep(credentials, granted('ann', ['read']), 'own');
  expect(credentials.of(granted('ann', ['read']))).toBe('Bearer own');
});

test('a token with fewer scopes does not use a secret that was obtained with more [M31]', async () => {
  const { exchanged, credentials } = exchanging();
  expect(await credentials.of(granted('ann', ['write', 'read']))).toBe('Bearer 1');
  expect(await credentials.of(granted('ann', ['read']))).toBe('Bearer 2');
  expect(exchanged).toEqual(['ann write+read', 'ann read']);
});

test('a rejected secret is fetched again for its caller only [M31]', async () => {
  const { exchanged, credentials } = exchanging();
  const [anna, bert] = [granted('ann', ['read']), granted('bob', ['read'])];
  const refused = (await credentials.of(anna)) ?? '';
  await credentials.of(bert);
  expect(await credentials.renewed(anna, refused)).toBe('Bearer 3');
  expect(await credentials.of(bert)).toBe('Bearer 2');
  expect(exchanged).toHaveLength(3);
});
