/** Pictures of members: what is agreed, who sees them, and what hostile bytes become. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  requestWith,
  mebi,
  pictureOf,
  png,
  storeOfFiles,
  streamOf,
} from './testing/member-files.ts';
import { pictureExtensions } from './index.ts';
import { pictureSize } from './picture-size.ts';

const { define, member, left } = storeOfFiles();
const pictures = define({
  kind: 'picture',
  extensions: pictureExtensions,
  pictures: { maxSide: 4_000, areForEverybody: true },
});
const keep = async (account: string, bytes: Uint8Array, name = 'a.png') =>
  pictures.keep(account, { name, bytes: streamOf(bytes) });

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const jpeg = (frame: string) => bytesOf(`ffd8 ffe0 0010 4a46494600010100000100010000 ${frame}`);
const webp = (chunk: string) => bytesOf(`52494646 1a000000 57454250 ${chunk}`);

describe('the size of a picture', () => {
  test.each<[string, string, Buffer]>([
    ['PNG', 'image/png', png(300, 200)],
    ['JPEG', 'image/jpeg', jpeg('ffc0 0011 08 00c8 012c 03')],
    ['progressive JPEG', 'image/jpeg', jpeg('ffc4 0004 ffff ffff ffc2 0011 08 00c8 012c 03')],
    ['lossy WebP', 'image/webp', webp('56503820 0e000000 300100 9d012a 2c01 c800')],
    ['lossless WebP', 'image/webp', webp('5650384c 0e000000 2f 2bc13100')],
    ['extended WebP', 'image/webp', webp('56503858 0a000000 10000000 2b0100 c70000')],
  ])('is read from its header: %s', (_, type, bytes) => {
    expect(pictureSize(type, bytes)).toEqual({ width: 300, height: 200 });
  });

  test.each<[string, string, Buffer]>([
    ['a PNG without its header', 'image/png', Buffer.alloc(60)],
    ['a PNG that ends early', 'image/png', png().subarray(0, 20)],
    ['a PNG of no width', 'image/png', png(0, 5)],
    ['a JPEG without a frame', 'image/jpeg', jpeg('ffda 0008')],
    ['a JPEG whose height comes later', 'image/jpeg', jpeg('ffc0 0011 08 0000 012c 03')],
    ['a JPEG that points behind its end', 'image/jpeg', jpeg('ffe1 ffff')],
    ['a JPEG of fill bytes', 'image/jpeg', jpeg('ff'.repeat(2_000))],
    ['a JPEG whose segment has no length', 'image/jpeg', jpeg('ffe1 0000 0000')],
    ['a WebP of another chunk', 'image/webp', webp('414c5048 00000000')],
    ['another type', 'image/gif', bytesOf('474946383961 0100 0100')],
  ])('is unknown, and its reader ends: %s', (_, type, bytes) => {
    expect(pictureSize(type, bytes)).toBeNull();
  });
});

test.each<[string, Buffer, string, number]>([
  ['that would fill the memory of who sees it', png(4_001, 1), 'picture_too_large', 422],
  ['of two billion pixels a side', png(0x7fffffff, 0x7fffffff), 'picture_too_large', 422],
  ['whose header ends early', png().subarray(0, 22), 'unreadable_picture', 422],
  ['of another type: GIF', bytesOf('474946383961 0100 0100 80'), 'unsupported_media_type', 415],
  ['that is a script too', Buffer.from('GIF89a/*..*/=1;alert(1)//'), 'unsupported_media_type', 415],
  [
    'that is drawn by a script',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'unsupported_media_type',
    415,
  ],
  [
    'behind a byte order mark, which makes it a text',
    Buffer.concat([bytesOf('efbbbf'), png()]),
    'unsupported_media_type',
    415,
  ],
  ['behind a page', Buffer.concat([Buffer.from('<html>'), png()]), 'unsupported_media_type', 415],
])('a picture %s is refused, and nothing is kept', async (_, bytes, code, status) => {
  const ada = await member();
  await expect(keep(ada, bytes)).rejects.toMatchObject({ code, status });
  expect(await left(ada)).toEqual([0, 0]);
});

test('a picture with a page, a script or an archive behind it is shown as a picture alone', async () => {
  const ada = await member();
  for (const tail of ['<script>alert(1)</script>', 'PK\u0003\u0004', deflateSync('a')]) {
    const bytes = Buffer.concat([png(20, 10), Buffer.from(tail)]);
    const { id, ...kept } = await keep(ada, bytes, 'page.html');
    expect(kept).toMatchObject({ name: 'page.png', type: 'image/png', width: 20, height: 10 });
    const { headers } = await pictures.respondToEverybody(requestWith(), id);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe('inline; filename="picture.png"');
  }
});

test('what is declared changes nothing: neither the name, the type, nor the length', async () => {
  const ada = await member();
  const declared = { 'content-type': 'image/jpeg', 'content-length': '5' };
  const request = new Request(`https://site.example/api/pictures?account=${ada}&name=a.svg`, {
    method: 'POST',
    body: png(20, 10),
    headers: declared,
  });
  const response = await pictures.receive({ id: ada }, request);
  expect([response.status, await response.json()]).toEqual([
    201,
    expect.objectContaining({ name: 'a.png', type: 'image/png', size: 33 }),
  ]);
});

test('everybody sees a picture of a kind that is for everybody, and none of another kind', async () => {
  const ada = await member();
  const { id } = await keep(ada, pictureOf(5_000));
  const shown = await pictures.respondToEverybody(requestWith(), id);
  expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-transform']);
  const own = await pictures.respond(requestWith(), ada, id);
  expect(own.headers.get('cache-control')).toBe('private, no-store, no-transform');
  const secret = define({ kind: 'secret' });
  const hidden = await secret.keep(ada, { name: 'a', bytes: streamOf(pictureOf(5_000)) });
  expect((await pictures.respondToEverybody(requestWith(), hidden.id)).status).toBe(404);
  expect(() => secret.respondToEverybody(requestWith(), hidden.id)).toThrow('not for everybody');
});

test('an exact copy that the client has is not sent again', async () => {
  const ada = await member();
  const { id } = await keep(ada, pictureOf(mebi));
  const etag = (await pictures.respond(requestWith(), ada, id)).headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const request = requestWith({ 'if-none-match': known, range: 'bytes=0-0' });
    const { status, headers, body } = await pictures.respond(request, ada, id);
    expect([status, body, headers.get('etag')]).toEqual([304, null, etag]);
  }
  for (const known of ['"other"', '', etag.slice(0, -2)]) {
    const response = await pictures.respond(requestWith({ 'if-none-match': known }), ada, id);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  }
  const eve = await member();
  const stolen = requestWith({ 'if-none-match': etag });
  expect((await pictures.respond(stolen, eve, id)).status).toBe(404);
});
