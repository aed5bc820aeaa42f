import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Caller } from '../context/tool-context.ts';
import { createCredentials, type Credentials } from './credentials.ts';

const ann = { id: 'ann' };
const bob = { id: 'bob' };

function keep(credentials: Credentials, caller: Caller, secret: string) {
  credentials.keep(credentials.receive(caller, secret));
}

test('a caller’s own secret stands before the environment’s [M30 M31]', () => {
  const credentials = createCredentials('shared');
  expect(credentials.of(ann)).toBe('Bearer shared');
  keep(credentials, ann, '  own\n');
  expect([credentials.of(ann), credentials.of(bob)]).toEqual(['Bearer own', 'Bearer shared']);
  expect(createCredentials().of(ann)).toBeUndefined();
});

test('a secret that was given can be tried, and changes nothing before it is kept [M30 M31]', () => {
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
  // Of another store nothing is known, and no other credential stands in for it.
  const elsewhere = createCredentials().receive(ann, 'third');
  expect(() => credentials.of(ann, elsewhere)).toThrow('another store');
  expect(() => {
    credentials.keep(elsewhere);
  }).toThrow('another store');
});

test('the header and the scheme are the service’s choice', () => {
  const credentials = createCredentials('key', { header: 'x-api-key', scheme: '' });
  expect([credentials.header, credentials.of(ann)]).toEqual(['x-api-key', 'key']);
});

test('what no header can carry is refused, and the secret before it stays', () => {
  const credentials = createCredentials();
  keep(credentials, ann, 'good');
  for (const secret of ['', '  ', 'a\nb', 'a\0b', 'é', 'x'.repeat(4_097)]) {
    expect(() => credentials.receive(ann, secret)).toThrow(
      expect.objectContaining({ name: 'ToolError' }),
    );
  }
  expect(credentials.of(ann)).toBe('Bearer good');
});

test('memory is bounded: the secret unused for longest goes first', () => {
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

test('no secret is seen by looking at the object [M31]', () => {
  const credentials = createCredentials('planted-environment');
  const given = credentials.receive(ann, 'planted-own');
  credentials.keep(given);
  const seen = [credentials, given].map(
    (one) => inspect(one, { depth: 9, showHidden: true }) + JSON.stringify(one),
  );
  expect(seen.join('')).not.toContain('planted');
});
