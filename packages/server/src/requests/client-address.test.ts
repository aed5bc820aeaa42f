import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { networkOf } from './client-address.ts';
import { clientAddressOf } from './request-context.ts';

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
  ['[::ffff:cb00:7109]:4711', 1, '203.0.113.9'],
  ['0:0:0:0:0:FFFF:203.0.113.9', 1, '203.0.113.9'],
  ['64:ff9b::cb00:7109', 1, '203.0.113.9'],
  ['2001:DB8:0::1', 1, '2001:db8::1'],
  ['2002:cb00:7107::1', 1, '2002:cb00:7107::1'],
  ['[fe80::1%eth0]:443', 1, 'fe80::1'],
  ['fe80::1%eth0', 1, 'fe80::1'],
  ['"[2001:db8::1]:443"', 1, '2001:db8::1'],
  ['"203.0.113.9:443"', 1, '203.0.113.9'],
  ['1.1.1.1,\t"203.0.113.9" ', 1, '203.0.113.9'],
  ['"[2001:db8::1]:_port"', 1, '2001:db8::1'],
  ['1.1.1.1, 203.0.113.9 , ,', 1, '203.0.113.9'],
  [' ,1.1.1.1,, 203.0.113.9, 10.0.0.1', 2, '203.0.113.9'],
  [',', 1, undefined],
  ['1.1.1.1, _hidden', 1, undefined],
  ['1.1.1.1, "unknown"', 1, undefined],
  ['[]', 1, undefined],
  ['[]:80', 1, undefined],
  ['""', 1, undefined],
  ['"', 1, undefined],
  ['[203.0.113.9', 1, undefined],
  ['203.0.113.9:443:443', 1, undefined],
  ['203.0.113.009', 1, undefined],
  ['fe80::1%', 1, undefined],
  ['203.0.113.9', 2, undefined],
  ['unknown', 1, undefined],
  ['unknown:4711', 1, undefined],
  [undefined, 1, undefined],
])('%j with %i trusted proxies gives %s', (forwarded, proxies, address) => {
  expect(from(forwarded, proxies)).toBe(address);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  // NAT64 (RFC 6052), SIIT (RFC 2765), IPv4-compatible (RFC 4291), 6to4 (RFC 3056), Teredo (RFC 4380)
  ['64:ff9b::cb00:7107', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['::ffff:0:cb00:7107', '203.0.113.7'],
  ['::203.0.113.7', '203.0.113.7'],
  ['2002:cb00:7107:1::5', '203.0.113.7'],
  ['2002:cb00:7107:2::6', '203.0.113.7'],
  ['2002:a00:1:2::6', '2002:a00:1:2::'],
  ['2002:7f00:1:2::6', '2002:7f00:1:2::'],
  ['2002:6440:1:2::6', '2002:6440:1:2::'],
  ['2002:0:0:2::6', '2002:0:0:2::'],
  ['100.63.255.255', '100.63.255.255'],
  ['100.128.0.1', '100.128.0.1'],
  ['2001:0:4136:e378:8000:63bf:34ff:8ef8', '203.0.113.7'],
  ['64:ff9b:1::cb00:7107', '64:ff9b:1::cb00:7107'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:DB8:1:2::', '2001:db8:1:2::'],
  ['2001:db8::1', '2001:db8::'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '::ffff:0:0',
  '::ffff:0.0.0.0',
  '::ffff:0:0:0',
  '::2',
  '100.64.0.1',
  '100.127.255.255',
  '::ffff:100.64.0.1',
  '64:ff9b::6440:1',
  'fec0::1',
  'feff::1',
  '::1%lo',
  '::ffff:127.0.0.1%lo',
  '::ffff:127.255.255.254',
  '0:0:0:0:0:FFFF:7F00:0001',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '127.0.0.1',
  '169.254.1.1',
  '::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '::ffff:0:a00:1',
  'unknown',
  '203.0.113',
  '0xcb007107',
  '',
])('%s is nobody’s network', (address) => {
  expect(networkOf(address)).toBeNull();
});
