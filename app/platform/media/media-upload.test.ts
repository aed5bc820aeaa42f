/** The visitor's uploads, through the SDK's HTTP adapter. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { apng, png } from '~/testing/studio/generation-data';
import { bytes, hang, json } from '@gatehouse/platform/testing/upstream-double';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { uploadMaxBytes } from './media';
import { startPlatformInSettings } from '~/testing/platform/platform-with-ada';

const platform = await startPlatformInSettings();

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
});

async function openSdk(signal = new AbortController().signal) {
  const guard = await checkPlatformUser({ signal });
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard);
}

const streamOf = (...parts: BlobPart[]) => new Blob(parts).stream();
const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');

/** The first bytes of a file with a type in its `ftyp` box. */
const boxed = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}isom`)]);
const riff = (chunk: string) => Buffer.from(`RIFF\x1a\0\0\0WEBP${chunk}\x0a\0\0\0\x02\0\0\0`);

test.each([
  ['image/png', png],
  ['image/png', apng],
  ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
  // Exif, a raw start of a scan's tables, Adobe, and several pictures in one (MPO).
  ['image/jpeg', Buffer.from('ffd8ffe100104578696600004d4d002a00000008ffd9', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ffdb0043000806060706050807070709090808ffd9', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ffee000e41646f626500640000000000ffd9', 'hex')],
  ['image/jpeg', Buffer.from('ffd8ffe200104d5046004d4d002a00000008ffd9', 'hex')],
  // Lossy, lossless, and extended, which may be animated.
  ['image/webp', riff('VP8 ')],
  ['image/webp', riff('VP8L')],
  ['image/webp', riff('VP8X')],
  ['video/mp4', mp4],
  ['video/mp4', boxed('isom')],
  ['video/mp4', boxed('avc1')],
  ['video/mp4', boxed('M4V ')],
])('a file is sent as %s, detected from its bytes, without a token [W01]', async (type, file) => {
  const sha256 = createHash('sha256').update(file).digest('hex');
  platform.on('/media', json(201, { id: 'm1', bytes: file.length, sha256, storage: 'canary' }));
  const media = await (await openSdk()).media.upload(streamOf(file), { bytes: file.length });
  // Safe data only (W20).
  const extension = type.split('/')[1]?.replace('jpeg', 'jpg') ?? '';
  expect(media).toEqual({
    id: 'm1',
    contentType: type,
    bytes: file.length,
    sha256,
    url: `/api/media/m1/file.${extension}`,
    filename: `m1.${extension}`,
  });
  const [request] = platform.to('/media');
  expect(request?.method).toBe('POST');
  expect(request?.headers).toEqual({
    host: new URL(platform.url).host,
    connection: 'keep-alive',
    'content-type': type,
    'content-length': String(file.length),
  });
});

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
/** An ID3 tag with ten bytes of padding. */
const tag = Buffer.from('ID3\x04\0\0\0\0\0\x0a\0\0\0\0\0\0\0\0\0\0');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

test.each([
  ...[png, apng, jpeg, riff('VP8 '), mp4].flatMap((file): [string, BlobPart][] => [
    ['a byte order mark before a picture', Buffer.concat([mark, file])],
    ['two byte order marks before a picture', Buffer.concat([mark, mark, file])],
    ['an ID3 tag before a picture', Buffer.concat([tag, file])],
    ['a byte order mark and an ID3 tag before a picture', Buffer.concat([mark, tag, file])],
    ['two ID3 tags before a picture', Buffer.concat([tag, tag, file])],
    ['a space before a picture', Buffer.concat([Buffer.from(' '), file])],
  ]),
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['an archive', Buffer.from('504b0304140000000800', 'hex')],
  ['an empty file', ''],
  ['an AVIF picture', boxed('avif')],
  ['an AVIF sequence', boxed('avis')],
  ['a HEIC picture', boxed('heic')],
  ['a QuickTime film', boxed('qt  ')],
  ['a lossless JPEG of another standard', Buffer.from('fff7ffd8fff7000bffd9', 'hex')],
])('%s is 415, and not sent', async (_, file) => {
  const upload = (await openSdk()).media.upload(streamOf(file));
  await expect(upload).rejects.toMatchObject({ status: 415, code: 'unsupported_media_type' });
  expect(platform.to('/media')).toHaveLength(0);
});

test('a file that declares too large a size is 413, and none of it is read', async () => {
  let taken = 0;
  const file = new ReadableStream<Uint8Array>(
    { pull: () => void (taken += 1) },
    { highWaterMark: 0 },
  );
  const upload = (await openSdk()).media.upload(file, { bytes: uploadMaxBytes + 1 });
  await expect(upload).rejects.toMatchObject({ status: 413, code: 'body_too_large' });
  expect([taken, platform.to('/media').length]).toEqual([0, 0]);
});

test.each([
  [401, 401, 'unauthorized'],
  [402, 402, 'insufficient_credits'],
  [413, 413, 'body_too_large'],
  [415, 415, 'unsupported_media_type'],
  [429, 429, 'rate_limited'],
  [302, 502, 'upstream_unavailable'],
  [422, 502, 'upstream_unavailable'],
  [507, 502, 'upstream_unavailable'],
])('upstream status %i becomes %i %s', async (upstreamStatus, status, code) => {
  platform.on('/media', json(upstreamStatus, { error: 'canary' }));
  const upload = (await openSdk()).media.upload(streamOf(png));
  await expect(upload).rejects.toMatchObject({ status, code, message: code });
});

test.each([
  ['another digest', { bytes: png.length, sha256: '0'.repeat(64) }],
  ['another length', { bytes: 7, sha256: createHash('sha256').update(png).digest('hex') }],
])('a file stored with %s is 502, and is deleted again', async (_, kept) => {
  platform.on('/media', json(201, { id: 'm1', ...kept }));
  platform.on('/media/m1', bytes(204, ''));
  await expect((await openSdk()).media.upload(streamOf(png))).rejects.toMatchObject({
    status: 502,
  });
  expect(platform.to('/media/m1').map(({ method }) => method)).toEqual(['DELETE']);
});

test.each([
  [409, { error: 'canary' }, 409, 'workspace_gone'],
  [422, { error: 'infected_media', found: 'canary' }, 422, 'infected_media'],
  [422, { error: 'unsupported_media' }, 422, 'unsupported_media'],
  [422, { error: 'toString' }, 502, 'upstream_unavailable'],
])('upstream status %i with %j becomes %i %s [W33]', async (upstreamStatus, body, status, code) => {
  platform.on('/media', json(upstreamStatus, body));
  const upload = (await openSdk()).media.upload(streamOf(png));
  await expect(upload).rejects.toMatchObject({ status, code, message: code });
});

test.each([
  ['invalid JSON', 'canary'],
  ['no id', { bytes: 1, sha256: '' }],
  ['an invalid length', { id: 'm1', bytes: -1, sha256: '' }],
  ['no digest', { id: 'm1', bytes: png.length }],
])('a response with %s is 502', async (_, body) => {
  platform.on('/media', json(201, body));
  const upload = (await openSdk()).media.upload(streamOf(png));
  await expect(upload).rejects.toMatchObject({ status: 502 });
});

test('an upload is aborted when the visitor disconnects', async () => {
  platform.on('/media', hang);
  const visitor = new AbortController();
  const requested = platform.next();
  const sdk = await openSdk(visitor.signal);
  const [, upload] = [await requested, sdk.media.upload(streamOf(png))];
  const failure = expect(upload).rejects.toMatchObject({ status: 502 });
  const request = await platform.next();
  visitor.abort();
  await failure;
  expect(await request.ended).toBe('cut');
});
