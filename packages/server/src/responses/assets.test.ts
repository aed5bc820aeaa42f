import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createAssets } from './assets.ts';
import { settings } from '../testing/listening-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
mkdirSync(join(folder, 'assets'));
mkdirSync(join(folder, '.vite'));
mkdirSync(join(folder, '.well-known'));
writeFileSync(join(folder, 'assets', 'home-abc.js'), 'export {};');
writeFileSync(join(folder, 'icon.svg'), '<svg/>');
writeFileSync(join(folder, 'price list – öre.svg'), '<svg/>');
const odd = [
  'shot[1].txt',
  'a#b.txt',
  'a?b.txt',
  '100%.txt',
  '%23.txt',
  'a+b c.txt',
  'a;b,c.txt',
  "it's (me)!.txt",
  'o\u0308sterreich.txt',
  '\u00fcber.txt',
  '日本.txt',
];
for (const name of odd) writeFileSync(join(folder, name), name);
writeFileSync(join(folder, 'assets', 'chunk[a]-abc.js'), 'export {};');
writeFileSync(join(folder, '.well-known', 'security.txt'), 'Contact: mailto:a@b.example');
const large = {
  '/film.mp4': Buffer.from(Array.from({ length: 2_000 }, (_, index) => index % 251)),
  '/words.txt': Buffer.from('some words '.repeat(200).slice(0, 2_000)),
};
for (const [path, bytes] of Object.entries(large)) writeFileSync(join(folder, path), bytes);
writeFileSync(join(folder, 'empty.bin'), '');
writeFileSync(join(folder, '.vite', 'manifest.json'), '{}');
const assets = createAssets(folder, settings);
// Deleted from here on: responses come from memory.
rmSync(folder, { recursive: true });

const server = createServer((request, response) => {
  assets(request, response, () => response.writeHead(404).end('next'));
}).listen(0, '127.0.0.1');
const send = (path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test('a built file is served with its type, bytes and standard headers', async () => {
  const script = await send('/assets/home-abc.js?x=1');
  expect(await script.text()).toBe('export {};');
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect((await send('/icon.svg')).headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each(['/.well-known/security.txt', '/price%20list%20%E2%80%93%20%C3%B6re.svg'])(
  'the file of public/ at %s is served',
  async (path) => {
    expect((await send(path)).status).toBe(200);
  },
);

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

test.each(odd)(
  'the file %s is served in every spelling of its name, whole and in part',
  async (name) => {
    const spellings = [encodeURIComponent(name), percent(name), percent(name.normalize('NFC'))];
    spellings.push(
      percent(name.normalize('NFD')),
      encodeURI(name).replace(/[?#]/g, encodeURIComponent),
    );
    for (const spelling of spellings) {
      const whole = await send(`/${spelling}?x=1`);
      expect([spelling, whole.status, await whole.text()]).toEqual([spelling, 200, name]);
      expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      const part = await send(`/${spelling}`, { headers: { range: 'bytes=0-0' } });
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1]);
      const head = await send(`/${spelling}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([
        200,
        String(Buffer.byteLength(name)),
      ]);
    }
  },
);

test.each(['/assets/%68ome-abc.js', '/assets/chunk[a]-abc.js', '/%61ssets/chunk%5Ba%5D-abc.js'])(
  'the built file %s is served in any spelling, and is immutable',
  async (path) => {
    const response = await send(path);
    expect(await response.text()).toBe('export {};');
    expect(response.headers.get('cache-control')).toContain('immutable');
  },
);

test.each(['/.vite/manifest.json', '/%E0%A4%A', '/assets'])(
  '%s is no file that is served',
  async (path) => {
    expect(await (await send(path)).text()).toBe('next');
  },
);

test.each([
  ['bytes=0-1', 'bytes 0-1/2000', 2],
  ['bytes=1990-', 'bytes 1990-1999/2000', 10],
  ['bytes=1990-9999', 'bytes 1990-1999/2000', 10],
  ['bytes=-5', 'bytes 1995-1999/2000', 5],
  ['bytes=-1999', 'bytes 1-1999/2000', 1_999],
  ['bytes=-2000', 'bytes 0-1999/2000', 2_000],
  ['bytes=-9999', 'bytes 0-1999/2000', 2_000],
  [`bytes=-${'9'.repeat(400)}`, 'bytes 0-1999/2000', 2_000],
  [`bytes=5-${'9'.repeat(400)}`, 'bytes 5-1999/2000', 1_995],
  ['Bytes= 0-1 ,', 'bytes 0-1/2000', 2],
])('the range %s is served uncompressed', async (range, given, length) => {
  for (const [path, whole] of Object.entries(large)) {
    // A compressed response would be a range of something else.
    const response = await send(path, { headers: { range, 'accept-encoding': 'gzip' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, given]);
    expect(response.headers.get('content-encoding')).toBeNull();
    const start = Number(/\d+/.exec(given)?.[0]);
    const part = Buffer.from(await response.arrayBuffer());
    expect(Buffer.compare(part, whole.subarray(start, start + length))).toBe(0);
  }
});

test.each([
  'bytes=x',
  'bytes=0-1,5-6',
  'pages=0-1',
  'bytes',
  'bytes=-',
  'bytes=5-2',
  'bytes=1x-2',
  'bytes=--5',
  'bytes=0-1-2',
  'bytes=+1-2',
  'bytes=1e1-20',
])('the range %s gets the complete file', async (range) => {
  const response = await send('/film.mp4', { headers: { range } });
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 2_000]);
});

test.each(['bytes=2000-', 'bytes=2000-2001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
  'the range %s, beyond the file, is 416 with the file’s length',
  async (range) => {
    const response = await send('/film.mp4', { headers: { range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */2000']);
  },
);

test.each(['bytes=-5', 'bytes=0-'])('of an empty file, %s gets all of it', async (range) => {
  const response = await send('/empty.bin', { headers: { range } });
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
});

test('a download of the same file resumes, one of another version starts over', async () => {
  const etag = (await send('/film.mp4')).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"/);
  const statusFor = async (path: string, validator: string) =>
    (await send(path, { headers: { range: 'bytes=5-', 'if-range': validator } })).status;
  expect(await statusFor('/film.mp4', etag)).toBe(206);
  expect(await statusFor('/film.mp4', '"another"')).toBe(200);
  expect(await statusFor('/film.mp4', new Date().toUTCString())).toBe(200);
  // A compressible file has a weak validator, which does not guarantee its bytes.
  const weak = (await send('/words.txt')).headers.get('etag') ?? '';
  expect(await statusFor('/words.txt', weak)).toBe(200);
  expect(await statusFor('/words.txt', weak.replace('W/', ''))).toBe(200);
});

// A proxy that compresses makes a tag weak, and a cache may hold several (RFC 9110, 13.1.2).
test.each([
  ['unchanged', ''],
  ['weak', 'W/'],
  ['in a list', '"a", '],
  ['after a list with a comma in a tag', 'W/"a,b" ,"c",,W/'],
])('a cached file is not sent again when its tag comes back %s', async (_, before) => {
  const etag = (await send('/icon.svg')).headers.get('etag') ?? '';
  const again = await send('/icon.svg', {
    headers: { 'if-none-match': before + etag.replace('W/', '') },
  });
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('x-content-type-options')).toBe('nosniff');
});

const conditions = ['cache-control', 'etag', 'vary', 'content-location', 'x-content-type-options'];

test.each(['/icon.svg', '/words.txt', '/film.mp4', '/assets/home-abc.js'])(
  'a 304, a 206 and HEAD of %s have the headers of its 200 that caches need',
  async (path) => {
    const gzip = { 'accept-encoding': 'gzip' };
    const pick = ({ headers }: Response) => conditions.map((name) => [name, headers.get(name)]);
    const whole = await send(path, { headers: gzip });
    const etag = whole.headers.get('etag') ?? '';
    expect(whole.headers.get('vary')).toBe(path === '/film.mp4' ? null : 'Accept-Encoding');
    for (const [status, init] of [
      [304, { headers: { ...gzip, 'if-none-match': etag } }],
      [304, { headers: { 'if-none-match': '*' }, method: 'HEAD' }],
      [206, { headers: { range: 'bytes=0-1' } }],
      [200, { method: 'HEAD' }],
    ] as const) {
      const response = await send(path, init);
      expect([response.status, pick(response)]).toEqual([status, pick(whole)]);
    }
  },
);

test.each([
  ['if-none-match', '*', 304, 304],
  ['if-none-match', 'W/*', 200, 200],
  ['if-none-match', 'x<tag>', 200, 200],
  ['if-none-match', '<tag>', 304, 304],
  ['if-match', '*', 200, 200],
  ['if-match', '<tag>', 200, 412],
  ['if-match', '"a", <tag>', 200, 412],
  ['if-match', 'W/<tag>', 412, 412],
  ['if-match', '"a"', 412, 412],
  // No file has a modification date (RFC 9110, sections 13.1.3 and 13.1.4).
  ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT', 200, 200],
  ['if-unmodified-since', 'Fri, 01 Jan 1999 00:00:00 GMT', 200, 200],
])('%s: %s is %i for a strong tag, %i for a weak one', async (name, value, strong, weak) => {
  for (const [path, status] of [
    ['/film.mp4', strong],
    ['/words.txt', weak],
  ] as const) {
    const etag = (await send(path)).headers.get('etag') ?? '';
    const given = value.replace('<tag>', etag.replace('W/', ''));
    for (const method of ['GET', 'HEAD']) {
      expect((await send(path, { method, headers: { [name]: given } })).status).toBe(status);
    }
  }
});

test.each([
  [416, { range: 'bytes=-0' }],
  [412, { 'if-match': '"another"' }],
])('a %i is not stored by caches, which could give it to others', async (status, headers) => {
  const response = await send('/film.mp4', { headers });
  expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
  expect(await response.text()).toBe('');
});

test('conditions are evaluated in the order of RFC 9110, section 13.2.2', async () => {
  const etag = (await send('/film.mp4')).headers.get('etag') ?? '';
  const statusFor = async (headers: Record<string, string>) =>
    (await send('/film.mp4', { headers: { range: 'bytes=9999-', ...headers } })).status;
  expect(await statusFor({ 'if-match': '"a"', 'if-none-match': etag })).toBe(412);
  expect(await statusFor({ 'if-match': etag, 'if-none-match': etag })).toBe(304);
  expect(await statusFor({ 'if-match': etag, 'if-range': etag })).toBe(416);
  expect(await statusFor({ 'if-match': etag, 'if-range': '"a"' })).toBe(200);
});

test('a file cached from another build is sent again, with a weak tag', async () => {
  const response = await send('/icon.svg', { headers: { 'if-none-match': 'W/"a", "b"' } });
  expect(response.status).toBe(200);
  // The tag is the same, compressed or not.
  expect(response.headers.get('etag')).toMatch(/^W\/"[\w-]{43}"$/);
});

test.each([
  '/',
  '/assets',
  '/assets/',
  '/.vite/manifest.json',
  '/%2evite/manifest.json',
  '/../icon.svg%00',
  '/%2569con.svg',
  '/icon%2Esvg%',
  '/icon.svg%2f',
  '/icon.svg%00',
  '/%00/icon.svg',
  '/..%2ficon.svg',
  '/assets%2Fhome-abc.js',
  '/assets%5Chome-abc.js',
  '/x/%2e%2e/icon.svg%252e',
  '/shot%255B1%255D.txt',
  '/a+b+c.txt',
])('%s is not a built file', async (path) => {
  expect(await (await send(path)).text()).toBe('next');
});

test('a built file rejects POST, and responds to HEAD without a body', async () => {
  expect((await send('/icon.svg', { method: 'POST' })).status).toBe(404);
  const head = await send('/icon.svg', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '6',
    '',
  ]);
});
