import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createCredentials } from './credentials.ts';

const ann = { id: 'ann' };
const bob = { id: 'bob' };

test('a caller’s own secret stands before the environment’s until it is forgotten [M30 M31]', () => {
  const credentials = createCredentials('shared');
  expect(credentials.of(ann)).toBe('Bearer shared');
  credentials.store(ann, '  own\n');
  expect([credentials.of(ann), credentials.of(bob)]).toEqual(['Bearer own', 'Bearer shared']);
  credentials.forget(ann);
  expect(credentials.of(ann)).toBe('Bearer shared');
  expect(createCredentials().of(ann)).toBeUndefined();
});

test('the header and the scheme are the service’s choice', () => {
  const credentials = createCredentials('key', { header: 'x-api-key', scheme: '' });
  expect([credentials.header, credentials.of(ann)]).toEqual(['x-api-key', 'key']);
});

test('what no header can carry is refused, and the secret before it stays', () => {
  const credentials = createCredentials();
  credentials.store(ann, 'good');
  for (const secret of ['', '  ', 'a\nb', 'a\0b', 'é', 'x'.repeat(4_097)]) {
    expect(() => {
      credentials.store(ann, secret);
    }).toThrow(expect.objectContaining({ name: 'ToolError' }));
  }
  expect(credentials.of(ann)).toBe('Bearer good');
});

test('memory is bounded: the secret unused for longest goes first', () => {
  const credentials = createCredentials(undefined, { capacity: 2 });
  credentials.store(ann, 'a');
  credentials.store(bob, 'b');
  credentials.of(ann);
  credentials.store({ id: 'cid' }, 'c');
  expect([ann, bob, { id: 'cid' }].map((caller) => credentials.of(caller))).toEqual([
    'Bearer a',
    undefined,
    'Bearer c',
  ]);
});

test('no secret is seen by looking at the object [M31]', () => {
  const credentials = createCredentials('planted-environment');
  credentials.store(ann, 'planted-own');
  const seen = inspect(credentials, { depth: 9, showHidden: true }) + JSON.stringify(credentials);
  expect(seen).not.toContain('planted');
});
