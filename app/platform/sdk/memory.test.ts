import { fileTypeFromBuffer } from 'file-type';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bytesOf, png } from '~/testing/upstream-data';
import { checkPlatformUser, demoUser } from '~/platform/platform.server';
import { createPlatformSdk } from './sdk.server';
import type { PlatformSdk } from './port.server';
import { relayPlatformUser } from '~/platform/user-relay.server';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);
// The one road to the platform (`upstream.server.ts`), and a road somebody might add.
const sockets = vi.hoisted(() => ({ calls: [] as unknown[] }));
vi.mock('undici', async (original) => {
  const refuse = (...call: unknown[]) => {
    sockets.calls.push(call);
    throw new Error('the demo called somebody');
  };
  return {
    ...(await original<object>()),
    request: refuse,
    fetch: refuse,
    getGlobalDispatcher: refuse,
  };
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(globalThis, 'fetch').mockImplementation((...call) => {
    sockets.calls.push(call);
    throw new Error('the demo called somebody');
  });
});
afterEach(() => {
  vi.useRealTimers();
  expect(sockets.calls).toEqual([]);
});

async function openSdk(): Promise<PlatformSdk> {
  const guard = await checkPlatformUser({});
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard);
}

test('the demo’s one visitor is signed in, and nobody is asked [W31]', async () => {
  expect(await checkPlatformUser({})).toEqual({ ok: true, user: demoUser });
  const { status, headers, body } = await relayPlatformUser();
  expect(status).toBe(200);
  expect(headers).toEqual({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  expect(JSON.parse(String(body))).toEqual(demoUser);
});

test('the demo makes, shows and hands out a picture, and nobody is asked [W31] [W27]', async () => {
  const sdk = await openSdk();
  const { id, status, output } = await sdk.submitGeneration({ prompt: 'a fox' });
  expect([status, output]).toEqual(['running', null]);
  await expect(sdk.readOutput(id, 'png')).rejects.toMatchObject({ status: 409, code: 'not_ready' });

  vi.setSystemTime(Date.now() + 1_500);
  expect((await sdk.getGeneration(id)).progress).toBeCloseTo(0.5);
  vi.setSystemTime(Date.now() + 1_500);
  const finished = await sdk.getGeneration(id);
  expect(finished).toMatchObject({
    status: 'succeeded',
    progress: 1,
    output: { url: `/api/generations/${id}/output.png`, filename: `${id}.png` },
  });

  const picture = await sdk.readOutput(id, 'png');
  expect(picture).toMatchObject({ contentType: 'image/png', filename: `${id}.png` });
  expect(await fileTypeFromBuffer(await bytesOf(picture))).toMatchObject({ mime: 'image/png' });
  await expect(sdk.readOutput(id, 'jpg')).rejects.toMatchObject({ status: 404 });
});

test('the demo lists the newest first, and keeps a hundred [W31]', async () => {
  const sdk = await openSdk();
  for (let count = 1; count <= 101; count++) {
    await sdk.submitGeneration({ prompt: `number ${count}` });
  }
  const { items, nextCursor } = await sdk.listGenerations();
  expect(items).toHaveLength(100);
  expect(items[0]?.prompt).toBe('number 101');
  expect(nextCursor).toBeNull();
  const beyond = sdk.listGenerations({ cursor: 'zzz' });
  await expect(beyond).rejects.toMatchObject({ status: 422, code: 'invalid_cursor' });
});

test('the same prompt gives the same picture, another one another [W31]', async () => {
  const sdk = await openSdk();
  const draw = async (prompt: string) => {
    const { id } = await sdk.submitGeneration({ prompt });
    vi.setSystemTime(Date.now() + 3_000);
    return (await bytesOf(await sdk.readOutput(id, 'png'))).toString('base64');
  };
  const fox = await draw('a fox');
  expect(await draw('a fox')).toBe(fox);
  expect(await draw('an owl')).not.toBe(fox);
});

test.each(['', '..', 'demo_unknown', '__proto__'])(
  'the demo has no picture %j: 404',
  async (id) => {
    const sdk = await openSdk();
    await expect(sdk.getGeneration(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(sdk.readOutput(id, 'png')).rejects.toMatchObject({ status: 404 });
  },
);

test('a picture is drawn once, and not before somebody asks for it', async () => {
  const draw = vi.spyOn(PNG.sync, 'write');
  const sdk = await openSdk();
  const { id } = await sdk.submitGeneration({ prompt: 'a fox' });
  vi.setSystemTime(Date.now() + 3_000);
  await sdk.listGenerations();
  expect(draw).toHaveBeenCalledTimes(0);
  const first = await bytesOf(await sdk.readOutput(id, 'png'));
  expect(await bytesOf(await sdk.readOutput(id, 'png'))).toEqual(first);
  expect(draw).toHaveBeenCalledTimes(1);
});

test('the demo takes an upload of a kind that the platform takes, and forgets it [W31]', async () => {
  const sdk = await openSdk();
  expect(await sdk.uploadMedia(new Blob([png]).stream())).toEqual({
    id: expect.stringMatching(/^demo_/) as string,
    contentType: 'image/png',
    bytes: png.length,
  });
  await expect(sdk.uploadMedia(new Blob(['<svg/>']).stream())).rejects.toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  });
});

test('the demo measures an upload as it comes, up to the bound [W31]', async () => {
  const sdk = await openSdk();
  const part = Buffer.concat([png, Buffer.alloc(1024 * 1024)]);
  let taken = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1;
      controller.enqueue(part);
    },
  });
  await expect(sdk.uploadMedia(endless)).rejects.toMatchObject({
    status: 413,
    code: 'body_too_large',
  });
  expect(taken).toBeLessThan(110);
});
