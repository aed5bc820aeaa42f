import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isResource } from '../../test/listening-site';
import { clientAddressOf, createRequestContext } from './request-context';

const own = { signal: new AbortController().signal, requestId: 'r1', nonce: 'n1' };
const contextAt = (path: string) =>
  createRequestContext(new URL(path, 'https://site.example'), isResource, own);

test('a context is one object per request, with the request’s values', () => {
  expect(contextAt('/')).toMatchObject(own);
  expect(contextAt('/')).not.toBe(contextAt('/'));
});

test.each([
  ['/', 'document'],
  ['/page?x=.data', 'document'],
  ['/apiary', 'document'],
  ['/x/api/user', 'document'],
  ['/page.data', 'data'],
  ['/_root.data?_routes=root', 'data'],
  ['/api/user', 'resource'],
  ['/API/user', 'resource'],
  ['/%61pi/user', 'resource'],
  ['/api', 'resource'],
  ['/api/', 'resource'],
  ['/x/../api/user', 'resource'],
])('%s is a %s [W15]', (path, kind) => {
  expect(contextAt(path).kind).toBe(kind);
});

const socket = new Socket();
Object.defineProperty(socket, 'remoteAddress', { value: '::ffff:10.0.0.2' });
const from = (forwarded: string | undefined, trustedProxies: number) =>
  clientAddressOf(
    { socket, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } },
    trustedProxies,
  );

test('without trusted proxies the connection’s address is used, whatever the header says', () => {
  expect(from('203.0.113.9', 0)).toBe('10.0.0.2');
  expect(from(undefined, 0)).toBe('10.0.0.2');
});

test.each([
  ['203.0.113.9', 1, '203.0.113.9'],
  ['1.1.1.1, 203.0.113.9', 1, '203.0.113.9'],
  ['1.1.1.1,203.0.113.9 , 10.0.0.1', 2, '203.0.113.9'],
  ['2001:db8::1', 1, '2001:db8::1'],
  ['203.0.113.9:4711', 1, '203.0.113.9'],
  ['[2001:db8::1]:4711', 1, '2001:db8::1'],
  ['[2001:db8::1]', 1, '2001:db8::1'],
  ['[::ffff:203.0.113.9]:4711', 1, '203.0.113.9'],
  ['203.0.113.9', 2, undefined],
  ['unknown', 1, undefined],
  ['unknown:4711', 1, undefined],
  [undefined, 1, undefined],
])('%j with %i trusted proxies gives %s', (forwarded, proxies, address) => {
  expect(from(forwarded, proxies)).toBe(address);
});
