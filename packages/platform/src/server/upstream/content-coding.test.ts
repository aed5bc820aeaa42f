/** An upstream that compresses although the request has no `accept-encoding`. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startSmallPlatform } from '../../../test/small-platform.ts';
import { bytes } from '../../testing/upstream-double.ts';
import { createUpstream } from './upstream.ts';

const { platform, relayPlatformUser } = await startSmallPlatform();
const { call: callUpstream } = createUpstream(() => platform.url);

const text = '{ "error": "sign in", "why": "é" }';

const coded: [coding: string | string[], body: Uint8Array][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['identity', Buffer.from(text)],
  // Listed in the order in which they were applied (RFC 9110, section 8.4).
  ['deflate, gzip', gzipSync(deflateSync(text))],
  [['gzip', 'identity', 'br'], brotliCompressSync(gzipSync(text))],
];

test.each(coded)('a 401 encoded with %s is relayed as its text [W03]', async (coding, body) => {
  const headers = { 'content-type': 'application/problem+json', 'content-encoding': coding };
  platform.on('/user', bytes(401, body, headers));
  const response = await relayPlatformUser();
  expect({ ...response, body: response.body?.toString() }).toEqual({
    status: 401,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: text,
  });
});

test('an empty body needs no decoding', async () => {
  platform.on('/user', bytes(401, '', { 'content-encoding': 'gzip' }));
  expect((await callUpstream({ path: '/user' })).body).toHaveLength(0);
});

test.each([
  ['an unknown coding', 'zstd', gzipSync(text)],
  ['a known coding over an unknown one', 'aws-chunked, gzip', gzipSync(text)],
  ['more codings than any server applies', 'br, br, br, br, br', Buffer.from('x')],
  ['another coding than declared', 'br', gzipSync(text)],
  ['a truncated body', 'gzip', gzipSync(text).subarray(0, -10)],
])('%s is 502', async (_, coding, body) => {
  platform.on('/user', bytes(200, body, { 'content-encoding': coding }));
  expect(await relayPlatformUser()).toMatchObject({ status: 502 });
});

test('the limit applies to the decoded body', async () => {
  const responseOf = (size: number) => {
    platform.on('/user', bytes(200, gzipSync('x'.repeat(size)), { 'content-encoding': 'gzip' }));
    return callUpstream({ path: '/user', maxBytes: 100_000 });
  };
  expect((await responseOf(100_000)).body).toHaveLength(100_000);
  await expect(responseOf(100_001)).rejects.toMatchObject({ status: 502 });
});

test('a decompression bomb is decoded only up to the limit', async () => {
  // Under a kilobyte: gzip within gzip.
  const bomb = gzipSync(gzipSync(Buffer.alloc(96 * 1024 * 1024)));
  platform.on('/user', bytes(200, bomb, { 'content-encoding': 'gzip, gzip' }));
  const before = process.memoryUsage().rss;
  expect(await relayPlatformUser()).toMatchObject({ status: 502 });
  expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
});
