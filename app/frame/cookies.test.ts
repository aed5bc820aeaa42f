import { expect, test } from 'vitest';
import { createFrameCookie } from './cookies.server';

test('a cookie of the frame has all that a browser asks of it, and gives back what it was given', async () => {
  const cookie = createFrameCookie('__Host-lantern', { maxAge: 60 });
  const header = await cookie.serialize('amber');
  const [pair = '', ...attributes] = header.split('; ');
  expect(attributes.sort()).toEqual([
    'HttpOnly',
    'Max-Age=60',
    'Partitioned',
    'Path=/',
    'SameSite=None',
    'Secure',
  ]);
  expect(pair.split('=')[0]).toBe('__Host-lantern');
  expect(await cookie.parse(pair)).toBe('amber');
});

test('a signed cookie is read by an older secret, and by no other', async () => {
  const old = await createFrameCookie('__Host-x', { secrets: ['old'] }).serialize('value');
  const [pair = ''] = old.split('; ');
  expect(await createFrameCookie('__Host-x', { secrets: ['new', 'old'] }).parse(pair)).toBe(
    'value',
  );
  expect(await createFrameCookie('__Host-x', { secrets: ['new'] }).parse(pair)).toBeNull();
});
