import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createAssets } from './assets.server';
import { parseSiteEnv } from './env.server';

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
mkdirSync(join(folder, 'assets'));
mkdirSync(join(folder, '.vite'));
writeFileSync(join(folder, 'assets', 'home-abc.js'), 'export {};');
writeFileSync(join(folder, 'icon.svg'), '<svg/>');
writeFileSync(join(folder, '.vite', 'manifest.json'), '{}');
const env = parseSiteEnv({ PLATFORM_INTERNAL_URL: 'http://127.0.0.1:1' });
const assets = createAssets(folder, env);
// Gone from here on: what is answered is what was there at the start.
rmSync(folder, { recursive: true });

const server = createServer((request, response) => {
  assets(request, response, () => response.writeHead(404).end('next'));
}).listen(0, '127.0.0.1');
const ask = (path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('a built file is answered with its type, its bytes and the header table', async () => {
  const script = await ask('/assets/home-abc.js?x=1');
  expect(await script.text()).toBe('export {};');
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect((await ask('/icon.svg')).headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each(['bytes=2-1', 'bytes=0-1', 'bytes=99-', 'bytes=x'])(
  'the range %s is answered with the whole file',
  async (range) => {
    const answer = await ask('/icon.svg', { headers: { range } });
    expect([answer.status, await answer.text()]).toEqual([200, '<svg/>']);
  },
);

// A proxy that compresses makes a tag weak, and a cache may hold several (RFC 9110, 13.1.2).
test.each([
  ['as it was', ''],
  ['as a weak tag', 'W/'],
  ['as one of several', '"a", '],
])('a file that the browser has is not sent again: its tag comes back %s', async (_, before) => {
  const etag = (await ask('/icon.svg')).headers.get('etag') ?? '';
  const again = await ask('/icon.svg', {
    headers: { 'if-none-match': before + etag.replace('W/', '') },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a file that the browser has of another build is sent, with a weak tag', async () => {
  const answer = await ask('/icon.svg', { headers: { 'if-none-match': 'W/"a", "b"' } });
  expect(answer.status).toBe(200);
  // Compressed or not, it has the same.
  expect(answer.headers.get('etag')).toMatch(/^W\/"[\w-]{43}"$/);
});

test.each(['/', '/assets', '/assets/', '/.vite/manifest.json', '/../icon.svg%00', '/%69con.svg'])(
  '%s is no built file',
  async (path) => {
    expect(await (await ask(path)).text()).toBe('next');
  },
);

test('a built file takes no post, and gives HEAD no body', async () => {
  expect((await ask('/icon.svg', { method: 'POST' })).status).toBe(404);
  const head = await ask('/icon.svg', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '6',
    '',
  ]);
});
