/** Password hashes, at their real cost. */
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '~/accounts/password/hashing.server';

test('a hash is scrypt with OWASP’s figures, salted, and true of its password alone', async () => {
  const [hash, again] = await Promise.all([
    hashPassword('pass phrase'),
    hashPassword('pass phrase'),
  ]);
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(again).not.toBe(hash);
  expect(await verifyPassword({ hash, password: 'pass phrase' })).toBe(true);
  expect(await verifyPassword({ hash, password: 'pass phrase ' })).toBe(false);
});

test('a password is the same however its letters are composed', async () => {
  const hash = await hashPassword('Gr\u00fc\u00dfe, \u00c5da');
  expect(await verifyPassword({ hash, password: 'Gru\u0308\u00dfe, A\u030ada' })).toBe(true);
});

test.each(['', 'plain', '$2b$10$abcdefghijklmnopqrstuv', '$scrypt$ln=99,r=8,p=3$YQ', '$scrypt$$$'])(
  'what is no hash of ours is true of no password: %j',
  async (hash) => {
    expect(await verifyPassword({ hash, password: '' })).toBe(false);
  },
);
