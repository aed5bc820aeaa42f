/** The visitor's uploads, through the SDK's HTTP adapter. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { png } from '~/testing/upstream-data';
import { bytes, hang, json, startPlatformDouble } from '~/testing/upstream-double';
import { checkPlatformUser } from '~/platform/platform.server';
import { uploadMaxBytes } from './media';
import { createPlatformSdk } from '../sdk.server';

const platform = await startPlatformDouble();

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

test.each([
  ['image/png', png],
  ['image/jpeg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
  ['video/mp4', mp4],
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

test.each([
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['an archive', Buffer.from('504b0304140000000800', 'hex')],
  ['an empty file', ''],
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
])('upstream status %i becomes %i %s', async (said, status, code) => {
  platform.on('/media', json(said, { error: 'canary' }));
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
])('upstream status %i with %j becomes %i %s [W33]', async (said, body, status, code) => {
  platform.on('/media', json(said, body));
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
  const asked = platform.next();
  const sdk = await openSdk(visitor.signal);
  const [, upload] = [await asked, sdk.media.upload(streamOf(png))];
  const failure = expect(upload).rejects.toMatchObject({ status: 502 });
  const request = await platform.next();
  visitor.abort();
  await failure;
  expect(await request.ended).toBe('cut');
});
