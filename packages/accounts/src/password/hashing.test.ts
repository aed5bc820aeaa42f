/** Password hashes, at their production cost. */
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './hashing.ts';

test('a hash is salted scrypt with OWASP’s parameters, and verifies its own password only', async () => {
  const [hash, again] = await Promise.all([
    hashPassword('pass phrase'),
    hashPassword('pass phrase'),
  ]);
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(again).not.toBe(hash);
  expect(await verifyPassword({ hash, password: 'pass phrase' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'pass phrase ' })).toBe(false);
});

test('a password matches in any Unicode normalization form', async () => {
  const hash = await hashPassword('Gr\u00fc\u00dfe, \u00c5da');
  expect(await verifyPassword({ hash, password: 'Gru\u0308\u00dfe, A\u030ada' })).toBe(true);
});

test.each(['', 'plain', '$2b$10$abcdefghijklmnopqrstuv', '$scrypt$ln=99,r=8,p=3$YQ', '$scrypt$$$'])(
  'a malformed or foreign hash verifies no password: %j',
  async (hash) => {
    expect(await verifyPassword({ hash, password: '' })).toBe(false);
  },
);
