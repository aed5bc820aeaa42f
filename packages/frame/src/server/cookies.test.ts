import { expect, test } from 'vitest';
import { createFrameCookie } from './cookies.ts';

test('a frame cookie has every attribute that browsers require, and round-trips its value', async () => {
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

test('a cookie signed with a previous secret is accepted, one signed with an unknown secret is not', async () => {
  const old = await createFrameCookie('__Host-x', { secrets: ['old'] }).serialize('value');
  const [pair = ''] = old.split('; ');
  expect(await createFrameCookie('__Host-x', { secrets: ['new', 'old'] }).parse(pair)).toBe(
    'value',
  );
  expect(await createFrameCookie('__Host-x', { secrets: ['new'] }).parse(pair)).toBeNull();
});
