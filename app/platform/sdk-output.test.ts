/** A finished picture's bytes, through the SDK's HTTP adapter (W27). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { png } from '~/testing/upstream-data';
import { bytes, drip, json, startPlatformDouble } from '~/testing/upstream-double';
import { checkPlatformUser } from './platform.server';
import { createPlatformSdk } from './sdk.server';
import { PlatformSdkError } from './sdk-port.server';

const platform = await startPlatformDouble();

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

test('a picture may take thirty seconds to come, and no longer', async () => {
  platform.on('/generations/g1/output', drip);
  const sdk = await openSdk();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = platform.next();
  const failure = failureOf(sdk.readOutput('g1', 'png'));
  await asked;
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await Promise.race([failure, Promise.resolve('waiting')])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(await failure).toMatchObject({ status: 504 });
});

test.each([
  ['png', 'image/png', png],
  ['jpg', 'image/jpeg', jpeg],
  ['webp', 'image/webp', webp],
])('a %s comes with its own type, name and bytes [W27]', async (extension, type, body) => {
  // What the platform says of the type does not count: the bytes do.
  platform.on('/generations/g1/output', bytes(200, body, { 'content-type': 'text/html' }));
  const output = await (await openSdk()).readOutput('g1', extension);
  expect(output).toMatchObject({ contentType: type, filename: `g1.${extension}` });
  expect(Buffer.compare(Buffer.from(output.bytes), body)).toBe(0);
});

test.each([
  ['a JPEG under a PNG’s name', 'png', jpeg],
  ['a PNG under a JPEG’s name', 'jpg', png],
  ['a page', 'png', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an SVG', 'png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an archive', 'png', Buffer.from('504b0304140000000800', 'hex')],
  ['nothing', 'png', Buffer.alloc(0)],
])('%s is 502, even when the platform calls it a picture [W27]', async (_, extension, body) => {
  platform.on('/generations/g1/output', bytes(200, body, { 'content-type': 'image/png' }));
  const error = await failureOf((await openSdk()).readOutput('g1', extension));
  expect(error).toMatchObject({ status: 502, code: 'upstream_unavailable' });
});

test('a picture larger than 25 MiB is 502', async () => {
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
  const error = await failureOf((await openSdk()).readOutput('g1', 'png'));
  expect(error).toMatchObject({ status: 502 });
});
