import { createCookie } from '@remix-run/node';
import { createCookie as createCookieOf8 } from 'react-router';
import { expect, test } from 'vitest';
import { createFrameCookie, framedCookie } from './cookies.ts';

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

const values = ['amber', { light: 'grün', at: [1, null] }, '', 7, 'a.b=c;d'];

test.each([
  ['Remix', createCookie],
  ['React Router', createCookieOf8],
])('%s writes and reads the same cookies', async (_, create) => {
  for (const secrets of [[], ['a secret', 'an older one']]) {
    const ours = createFrameCookie('__Host-x', { secrets, maxAge: 60 });
    const theirs = create('__Host-x', { ...framedCookie, secrets, maxAge: 60 });
    for (const value of values) {
      const header = await ours.serialize(value);
      expect(header).toBe(await theirs.serialize(value));
      const [pair = ''] = header.split('; ');
      expect([await ours.parse(pair), await theirs.parse(pair)]).toEqual([value, value]);
    }
  }
});

test.each(['', '__Host-y=1', '__Host-x=', '__Host-x=nonsense', '__Host-x=bm8.c2lnbg'])(
  'a cookie that is missing or was tampered with gives no value: %s',
  async (header) => {
    const cookie = createFrameCookie('__Host-x', { secrets: ['a secret'] });
    expect((await cookie.parse(header)) || null).toBeNull();
  },
);
