import { expect, test } from 'vitest';
import { path } from './path.ts';

test('segments are encoded, and no id changes the path [M18]', () => {
  expect(path`/users/${'a b'}/teams/${7}`).toBe('/users/a%20b/teams/7');
  expect(path`/users/${'x?admin=1#é'}`).toBe('/users/x%3Fadmin%3D1%23%C3%A9');
  expect(path`/users/${'..%2f..'}`).toBe('/users/..%252f..');
  expect(path`/files/${'a/b'}`).toBe('/files/a%2Fb');
});

test.each(['', '.', '..', '../admin', 'a/../b', 'a//b', '..\\x', 'a\0b', 'a\r\nb', '\ud800'])(
  'a segment that could be read as several is not found: %j',
  (segment) => {
    expect(() => path`/users/${segment}`).toThrow(expect.objectContaining({ status: 404 }));
  },
);
