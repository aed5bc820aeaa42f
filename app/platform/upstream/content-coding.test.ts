/** An upstream that compresses, though nobody asked it to. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytes, startPlatformDouble } from '~/testing/upstream-double';
import { callUpstream } from './upstream.server';
import { relayPlatformUser } from '~/platform/user-relay.server';

const platform = await startPlatformDouble();

const text = '{ "error": "sign in", "why": "é" }';

const coded: [coding: string | string[], body: Uint8Array][] = [
  ['gzip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['GZip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['identity', Buffer.from(text)],
  // Named in the order in which they were applied (RFC 9110, 8.4).
  ['deflate, gzip', gzipSync(deflateSync(text))],
  [['gzip', 'identity', 'br'], brotliCompressSync(gzipSync(text))],
];

test.each(coded)('a 401 with the coding %s is relayed as its text [W03]', async (coding, body) => {
  const headers = { 'content-type': 'application/problem+json', 'content-encoding': coding };
  platform.on('/user', bytes(401, body, headers));
  const answer = await relayPlatformUser();
  expect({ ...answer, body: answer.body?.toString() }).toEqual({
    status: 401,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: text,
  });
});

test('a body of no bytes has nothing to decode', async () => {
  platform.on('/user', bytes(401, '', { 'content-encoding': 'gzip' }));
  expect((await callUpstream({ path: '/user' })).body).toHaveLength(0);
});

test.each([
  ['a coding nobody knows', 'zstd', gzipSync(text)],
  ['a known one over an unknown', 'aws-chunked, gzip', gzipSync(text)],
  ['more codings than any server applies', 'br, br, br, br, br', Buffer.from('x')],
  ['another coding than it says', 'br', gzipSync(text)],
  ['a body that is cut short', 'gzip', gzipSync(text).subarray(0, -10)],
])('%s is 502', async (_, coding, body) => {
  platform.on('/user', bytes(200, body, { 'content-encoding': coding }));
  expect(await relayPlatformUser()).toMatchObject({ status: 502 });
});

test('the bound is on what is decoded', async () => {
  const answerOf = (size: number) => {
    platform.on('/user', bytes(200, gzipSync('x'.repeat(size)), { 'content-encoding': 'gzip' }));
    return callUpstream({ path: '/user', maxBytes: 100_000 });
  };
  expect((await answerOf(100_000)).body).toHaveLength(100_000);
  await expect(answerOf(100_001)).rejects.toMatchObject({ status: 502 });
});

test('a bomb is decoded no further than the bound', async () => {
  // Less than a kilobyte: gzip over gzip.
  const bomb = gzipSync(gzipSync(Buffer.alloc(96 * 1024 * 1024)));
  platform.on('/user', bytes(200, bomb, { 'content-encoding': 'gzip, gzip' }));
  const before = process.memoryUsage().rss;
  expect(await relayPlatformUser()).toMatchObject({ status: 502 });
  expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
});
