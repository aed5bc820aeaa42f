/** The bytes of a finished picture, through the SDK's HTTP adapter (W27). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bytesOf, png } from '~/testing/studio/generation-data';
import { bytes, file, hang, json } from '@gatehouse/platform/testing/upstream-double';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { PlatformSdkError } from '@gatehouse/platform/server';
import { startPlatformInSettings } from '~/testing/platform/platform-with-ada';

const platform = await startPlatformInSettings();

beforeEach(() => {
  platform.on('/user', json(200, { id: 'u1', name: 'Ada' }));
});
afterEach(() => {
  vi.useRealTimers();
});

async function openSdk() {
  const guard = await checkPlatformUser({});
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard);
}

async function failureOf(promise: Promise<unknown>): Promise<PlatformSdkError> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformSdkError)) throw new Error(`no SDK error: ${String(error)}`);
  return error;
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const webp = Buffer.concat([Buffer.from('RIFF\u001a\0\0\0WEBPVP8L'), Buffer.alloc(14)]);

test('a picture’s response must begin within ten seconds', async () => {
  platform.on('/generations/g1/output', hang);
  const sdk = await openSdk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requested = platform.next();
  const failure = failureOf(sdk.generations.readOutput('g1', 'png'));
  await requested;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(await Promise.race([failure, Promise.resolve('waiting')])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await failure).toMatchObject({ status: 504 });
});

test.each([
  ['png', 'image/png', png],
  ['jpg', 'image/jpeg', jpeg],
  ['webp', 'image/webp', webp],
])('a %s has its own type, filename and bytes [W27]', async (extension, type, body) => {
  // The platform's content type is ignored: the bytes decide.
  platform.on('/generations/g1/output', bytes(200, body, { 'content-type': 'text/html' }));
  const output = await (await openSdk()).generations.readOutput('g1', extension);
  expect(output).toMatchObject({ contentType: type, filename: `g1.${extension}` });
  expect(Buffer.compare(await bytesOf(output), body)).toBe(0);
});

test.each([
  ['a JPEG under a PNG’s name', 'png', jpeg],
  ['a PNG under a JPEG’s name', 'jpg', png],
  ['a page', 'png', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG', 'png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an archive', 'png', Buffer.from('504b0304140000000800', 'hex')],
  ['an empty file', 'png', Buffer.alloc(0)],
])('%s is 502, even if the platform declares it a picture [W27]', async (_, extension, body) => {
  platform.on('/generations/g1/output', bytes(200, body, { 'content-type': 'image/png' }));
  const error = await failureOf((await openSdk()).generations.readOutput('g1', extension));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
});

const bound = 256 * 1024 * 1024;

test('a picture that declares more than 256 MiB is 502', async () => {
  platform.on('/generations/g1/output', (response) => {
    response.writeHead(200, { 'content-length': String(bound + 1) });
    response.write(png);
  });
  const error = await failureOf((await openSdk()).generations.readOutput('g1', 'png'));
  expect(error).toMatchObject({ status: 502 });
});

test('a picture of undeclared length is aborted at 256 MiB', async () => {
  platform.on('/generations/g1/output', (response) => {
    response.writeHead(200);
    response.write(png);
    const part = Buffer.alloc(1024 * 1024);
    const pour = () => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  const { body } = await (await openSdk()).generations.readOutput('g1', 'png');
  let taken = 0;
  const read = body.pipeTo(new WritableStream({ write: (chunk) => void (taken += chunk.length) }));
  await expect(read).rejects.toThrow();
  expect(taken).toBeLessThanOrEqual(bound);
  expect(await platform.requests[1]?.ended).toBe('cut');
});

const long = Buffer.concat([png, Buffer.alloc(20_000, 'x')]);

test.each([
  ['from the beginning', 'bytes=0-9', 'bytes 0-9/20033', long.subarray(0, 10)],
  ['out of the middle', 'bytes=5000-5009', 'bytes 5000-5009/20033', long.subarray(5000, 5010)],
  ['to the end', 'bytes=20000-', 'bytes 20000-20032/20033', long.subarray(20_000)],
  ['the last bytes', 'bytes=-7', 'bytes 20026-20032/20033', long.subarray(-7)],
])(
  'a range of a picture, %s, has the type of the complete file [W27]',
  async (_, range, given, part) => {
    platform.on(
      '/generations/g1/output',
      file(long, { etag: '"v1"', 'content-type': 'text/html' }),
    );
    const output = await (await openSdk()).generations.readOutput('g1', 'png', { range });
    const { body, ...head } = output;
    expect(head).toEqual({
      status: 206,
      contentType: 'image/png',
      filename: 'g1.png',
      headers: {
        'content-length': String(part.length),
        'content-range': given,
        'accept-ranges': 'bytes',
        etag: '"v1"',
      },
    });
    expect(Buffer.compare(await bytesOf({ body }), part)).toBe(0);
  },
);

test('a range of a file that is not a picture is refused [W27]', async () => {
  platform.on(
    '/generations/g1/output',
    file(Buffer.concat([Buffer.from('<html>'), Buffer.alloc(9_000, 'x'), png])),
  );
  const sdk = await openSdk();
  const error = await failureOf(sdk.generations.readOutput('g1', 'png', { range: 'bytes=9006-' }));
  expect(error).toMatchObject({ status: 502 });
});

test('a range that starts at another offset than requested is refused [W27]', async () => {
  const reply = bytes(206, png, { 'content-range': 'bytes 5000-5032/20033' });
  platform.on('/generations/g1/output', reply);
  const sdk = await openSdk();
  expect(
    await failureOf(sdk.generations.readOutput('g1', 'png', { range: 'bytes=0-' })),
  ).toMatchObject({
    status: 502,
  });
});

test('a 206 to a request without a range is 502', async () => {
  const reply = bytes(206, png, { 'content-range': 'bytes 0-32/20033' });
  platform.on('/generations/g1/output', reply);
  expect(await failureOf((await openSdk()).generations.readOutput('g1', 'png'))).toMatchObject({
    status: 502,
  });
});

test('a range beyond the end is 416 with the file’s length', async () => {
  platform.on('/generations/g1/output', file(long));
  const sdk = await openSdk();
  const error = await failureOf(sdk.generations.readOutput('g1', 'png', { range: 'bytes=20033-' }));
  expect(error).toMatchObject({
    status: 416,
    code: 'range_not_satisfiable',
    headers: { 'content-range': 'bytes */20033' },
  });
});

test.each([
  ['a platform without ranges', bytes(200, long), { range: 'bytes=5000-' }],
  ['another version', file(long, { etag: '"v2"' }), { range: 'bytes=1-2', ifRange: '"v1"' }],
  ['several ranges', file(long), { range: 'bytes=0-1,5-6' }],
  ['another unit', file(long), { range: 'pages=1-2' }],
  ['an empty range', file(long), { range: 'bytes=-' }],
  ['an invalid validator', file(long), { range: 'bytes=1-2', ifRange: 'x'.repeat(201) }],
])('%s gives the complete picture', async (_, reply, part) => {
  platform.on('/generations/g1/output', reply);
  const output = await (await openSdk()).generations.readOutput('g1', 'png', part);
  expect([output.status, (await bytesOf(output)).length]).toEqual([200, long.length]);
});

test('a download of an unchanged version can be resumed', async () => {
  platform.on('/generations/g1/output', file(long, { etag: '"v1"' }));
  const part = { range: 'bytes=20030-', ifRange: '"v1"' };
  const output = await (await openSdk()).generations.readOutput('g1', 'png', part);
  expect([output.status, (await bytesOf(output)).length]).toEqual([206, 3]);
});

test('the platform’s headers are passed on only if they are valid lengths, ranges or validators', async () => {
  const sent = { 'accept-ranges': 'canary', etag: 'canary', 'content-range': 'canary' };
  platform.on('/generations/g1/output', bytes(200, png, { ...sent, 'x-canary': '1' }));
  const { headers, body } = await (await openSdk()).generations.readOutput('g1', 'png');
  expect(headers).toEqual({});
  await body.cancel();
});

test('the type is detected even if the first chunk is too short to show it', async () => {
  // An 8 KB colour profile that precedes the image data.
  const profile = Buffer.concat([Buffer.from('00002000', 'hex'), Buffer.from('iCCP')]);
  const whole = Buffer.concat([png, profile, Buffer.alloc(0x2000 + 4), Buffer.alloc(3_000)]);
  platform.on('/generations/g1/output', (response) => {
    response.writeHead(200);
    response.write(whole.subarray(0, 3), () => response.end(whole.subarray(3)));
  });
  const output = await (await openSdk()).generations.readOutput('g1', 'png');
  expect(output.contentType).toBe('image/png');
  expect(Buffer.compare(await bytesOf(output), whole)).toBe(0);
});
