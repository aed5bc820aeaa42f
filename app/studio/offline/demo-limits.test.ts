/** Generations and files in the offline demo (W31): each browser's own, and bounds on what is kept of them. */
import { randomUUID } from 'node:crypto';
import { PNG } from 'pngjs';
import { expect, test, vi } from 'vitest';
import { newBrowser, openSdk, pass, start } from '~/testing/studio/offline-studio';
import { bytesOf, png } from '~/testing/studio/generation-data';
import { orderOf } from '~/platform/generations/generations';

test('one browser never sees another’s generations or media [W13 W31]', async () => {
  const [first, second] = [await newBrowser(), await newBrowser()];
  const { id } = await start(await openSdk(first), 'a fox');
  const media = await (await openSdk(first)).media.upload(new Blob([png]).stream());
  const theirs = await openSdk(second);
  expect((await theirs.generations.list()).items).toEqual([]);
  await expect(theirs.generations.get(id)).rejects.toMatchObject({ status: 404 });
  await expect(theirs.media.read(media.id, 'png')).rejects.toMatchObject({ status: 404 });
  expect((await (await openSdk(first)).generations.list()).items).toHaveLength(1);
});

test('the demo keeps a hundred generations per account, and evicts the oldest account', async () => {
  const browser = await newBrowser();
  const sdk = await openSdk(browser);
  for (let count = 1; count <= 60; count++) {
    const { id } = await start(sdk, `number ${count}`);
    await sdk.generations.cancel(id);
    await start(sdk, `number ${count}`).then(async ({ id }) => sdk.generations.cancel(id));
  }
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await sdk.generations.list({ cursor });
    count += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(count).toBe(100);
  for (let other = 0; other < 200; other++) await write(await newBrowser());
  expect((await (await openSdk(browser)).generations.list()).items).toEqual([]);
});

/** The smallest change to an account. */
async function write(browser: { cookie: string }) {
  const { workspaces } = await openSdk(browser);
  const { chosen } = await workspaces.list();
  await workspaces.choose(chosen);
}

test('uploads that have not arrived yet count, so that stalled ones cannot fill the memory', async () => {
  const { media } = await openSdk(await newBrowser());
  const half = new Uint8Array(64 * 1024 * 1024);
  half.set(PNG.sync.write(new PNG({ width: 1, height: 1 })));
  const stalled = new AbortController();
  const stall = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(half);
        stalled.signal.addEventListener('abort', () => {
          controller.error(new Error('The visitor has left.'));
        });
      },
    });
  const first = Promise.allSettled([media.upload(stall()), media.upload(stall())]);
  await vi.waitFor(async () => {
    const third = media.upload(new Blob([half]).stream());
    await expect(third).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
  });
  stalled.abort();
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await media.upload(new Blob([half]).stream())).bytes).toBe(half.length);
});

test('an order that is sent again leaves out generations that were evicted since', async () => {
  const sdk = await openSdk(await newBrowser());
  const first = orderOf('a fox');
  const key = { idempotencyKey: randomUUID() };
  await sdk.generations.submit(first, key);
  for (let count = 1; count <= 100; count++) {
    await sdk.generations.cancel((await start(sdk, `number ${count}`)).id);
  }
  const { balance } = await sdk.credits.history();
  expect(await sdk.generations.submit(first, key)).toEqual([]);
  expect((await sdk.credits.history()).balance).toBe(balance);
});

test('the same prompt gives the same picture, another prompt another picture [W31]', async () => {
  const sdk = await openSdk();
  const draw = async (prompt: string) => {
    const { id } = await start(sdk, prompt);
    pass(3_000);
    return (await bytesOf(await sdk.generations.readOutput(id, 'png'))).toString('base64');
  };
  const fox = await draw('a fox');
  expect(await draw('a fox')).toBe(fox);
  expect(await draw('an owl')).not.toBe(fox);
});

test('a picture is drawn once, on first request', async () => {
  const draw = vi.spyOn(PNG.sync, 'write');
  const sdk = await openSdk();
  const { id } = await start(sdk, 'a picture of this test');
  pass(3_000);
  await sdk.generations.list();
  expect(draw).toHaveBeenCalledTimes(0);
  const first = await bytesOf(await sdk.generations.readOutput(id, 'png'));
  expect(await bytesOf(await sdk.generations.readOutput(id, 'png'))).toEqual(first);
  expect(draw).toHaveBeenCalledTimes(1);
});

test('the demo reads an upload only up to its limit [W31]', async () => {
  const sdk = await openSdk();
  const part = Buffer.concat([png, Buffer.alloc(1024 * 1024)]);
  let taken = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 1;
      controller.enqueue(part);
    },
  });
  await expect(sdk.media.upload(endless)).rejects.toMatchObject({
    status: 413,
    code: 'body_too_large',
  });
  expect(taken).toBeLessThan(110);
});
