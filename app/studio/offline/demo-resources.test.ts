/** Media, workspaces and credits in the offline demo, and other people's resources. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  balanceOf,
  ids,
  newKey,
  open,
  order,
  pass,
  picture as png,
  start,
  streamOf,
} from '~/testing/studio/offline-studio';
import { bytesOf } from '~/testing/studio/generation-data';

it('stores a file with its digest, uses it as a reference, and deletes it', async () => {
  const sdk = await open('ada');
  const media = await sdk.media.upload(streamOf(png), { bytes: png.length });
  expect(media).toEqual({
    id: expect.any(String) as string,
    contentType: 'image/png',
    bytes: png.length,
    sha256: createHash('sha256').update(png).digest('hex'),
    url: `/api/media/${media.id}/file.png`,
    filename: `${media.id}.png`,
  });
  const file = await sdk.media.read(media.id, 'png');
  expect(file).toMatchObject({ contentType: 'image/png', filename: media.filename });
  expect(Buffer.compare(await bytesOf(file), png)).toBe(0);
  await expect(sdk.media.read(media.id, 'exe')).rejects.toMatchObject({ status: 404 });

  const made = await start(sdk, 'a fox', { references: [media.id] });
  expect(made.references).toEqual([media.id]);
  await sdk.media.remove(media.id);
  await expect(sdk.media.read(media.id, 'png')).rejects.toMatchObject({ status: 404 });
  await expect(sdk.media.remove(media.id)).rejects.toMatchObject({ status: 404 });
  await expect(start(sdk, 'an owl', { references: [media.id] })).rejects.toMatchObject({
    status: 422,
    code: 'reference_gone',
  });
});

it('keeps an animated PNG as a PNG', async () => {
  const control = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex');
  const sdk = await open('ada');
  const media = await sdk.media.upload(streamOf(Buffer.concat([png.subarray(0, 33), control])));
  expect(media.contentType).toBe('image/png');
  const file = await sdk.media.read(media.id, 'png');
  expect(file).toMatchObject({ contentType: 'image/png', filename: media.filename });
  await file.body.cancel();
});

it.each([
  ['a page declared a picture', Buffer.from('<!doctype html><script>alert(1)</script>'), {}, 415],
  ['an archive', Buffer.from('504b0304140000000800', 'hex'), {}, 415],
  ['an empty file', Buffer.alloc(0), {}, 415],
  ['a file that declares too large a size', png, { bytes: 100 * 1024 * 1024 + 1 }, 413],
])('does not store %s', async (_what, file, options, status) => {
  const upload = (await open('ada')).media.upload(streamOf(file), options);
  await expect(upload).rejects.toMatchObject({ status });
});

it('stores nothing of an aborted upload', async () => {
  const gone = new Error('The visitor left.');
  let parts = 0;
  const file = new ReadableStream<Uint8Array>({
    pull(controller) {
      parts += 1;
      if (parts === 1) controller.enqueue(png);
      else if (parts < 4) controller.enqueue(Buffer.alloc(64 * 1024));
      else controller.error(gone);
    },
  });
  await expect((await open('ada')).media.upload(file)).rejects.toBe(gone);
});

it('does not reveal another person’s resources in any operation [W13]', async () => {
  const ada = await open('ada');
  const { id } = await start(ada, 'a fox');
  const media = await ada.media.upload(streamOf(png));
  pass(60_000);
  const bobby = await open('bobby');
  const before = await balanceOf(bobby);
  expect((await bobby.generations.list()).items).toEqual([]);
  for (const strange of [id, 'never-was', '', '.', '..', 'a/../b', '\ud800']) {
    for (const refused of [
      () => bobby.generations.get(strange),
      () => bobby.generations.cancel(strange),
      () => bobby.generations.remove(strange),
      () => bobby.generations.restore(strange),
      () => bobby.generations.readOutput(strange, 'png'),
      () => bobby.media.read(strange === id ? media.id : strange, 'png'),
      () => bobby.media.remove(strange === id ? media.id : strange),
    ]) {
      await expect(refused()).rejects.toMatchObject({ status: 404, code: 'not_found' });
    }
  }
  const stolen = start(bobby, 'mine', { references: [media.id] });
  await expect(stolen).rejects.toMatchObject({ code: 'reference_gone' });
  expect(await balanceOf(bobby)).toBe(before);
  expect((await ada.generations.get(id)).status).toBe('succeeded');
  await (await ada.media.read(media.id, 'png')).body.cancel();
});

it('acts in the named workspace, or else the chosen one, and only as its role allows', async () => {
  const sdk = await open('ada');
  const { items, chosen } = await sdk.workspaces.list();
  const [own, shown] = items;
  if (!own || !shown) throw new Error('there are no two workspaces');
  expect([own.id, own.canGenerate, own.credits]).toEqual([chosen, true, await balanceOf(sdk)]);
  expect([shown.role, shown.canGenerate]).toEqual(['viewer', false]);
  const { id } = await start(sdk, 'a fox');

  await sdk.workspaces.choose(shown.id);
  expect((await (await open('ada')).workspaces.list()).chosen).toBe(shown.id);
  expect((await sdk.generations.list()).items).toEqual([]);
  for (const refused of [() => start(sdk, 'an owl'), () => sdk.media.upload(streamOf(png))]) {
    await expect(refused()).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  }
  // Another tab's choice never affects an order that names its workspace.
  const there = await open('ada', own.id);
  await start(there, 'an owl');
  expect((await there.generations.list()).items).toHaveLength(2);
  expect((await there.generations.get(id)).id).toBe(id);
});

it('answers that a workspace is gone, for every operation that acts in one', async () => {
  const sdk = await open('ada', 'wsp_bobby');
  const size = { kind: 'picture', aspectRatio: '1:1', count: 1, references: 0 } as const;
  const { signal } = new AbortController();
  for (const refused of [
    () => sdk.generations.estimate(size),
    () => start(sdk, 'a fox'),
    () => sdk.generations.list(),
    () => sdk.generations.watch({ signal })[Symbol.asyncIterator]().next(),
    () => sdk.media.upload(streamOf(png)),
    () => sdk.credits.history(),
    () => sdk.workspaces.choose('wsp_bobby'),
  ]) {
    await expect(refused()).rejects.toMatchObject({ status: 409, code: 'workspace_gone' });
  }
});

it('refuses an order entirely if the current balance does not cover it', async () => {
  const sdk = await open('ada');
  const clips = order(['1', '2', '3', '4', '5', '6'], { kind: 'clip' });
  const size = { kind: 'clip', aspectRatio: '1:1', count: 6, references: 0 } as const;
  while ((await sdk.generations.estimate(size)).balance >= 60) {
    await sdk.generations.submit(clips, newKey());
    pass(60_000);
  }
  // Covered when estimated, but another tab has spent the credits since.
  expect((await sdk.generations.estimate(size)).covered).toBe(true);
  await sdk.generations.submit(clips, newKey());
  pass(60_000);
  const left = await balanceOf(sdk);
  const rest = left >= 30 ? sdk.generations.submit(clips, newKey()) : Promise.resolve();
  await rest;
  const spent = await balanceOf(sdk);
  const { items } = await sdk.generations.list();
  const key = newKey();
  await expect(sdk.generations.submit(clips, key)).rejects.toMatchObject({
    status: 402,
    code: 'insufficient_credits',
  });
  expect((await sdk.generations.estimate(size)).covered).toBe(false);
  expect([await balanceOf(sdk), ids((await sdk.generations.list()).items)]).toEqual([
    spent,
    ids(items),
  ]);
});

it('pages through a credit history that is longer than a page', async () => {
  const sdk = await open('ada');
  for (let count = 0; count < 26; count += 1) {
    await sdk.generations.cancel((await start(sdk, 'a fox')).id);
  }
  const first = await sdk.credits.history();
  const second = await sdk.credits.history({ cursor: first.nextCursor ?? '' });
  expect([first.entries.length, second.nextCursor]).toEqual([50, null]);
  expect([second.balance, second.days]).toEqual([first.balance, first.days]);
  const all = [...first.entries, ...second.entries];
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  // Newest first, without a gap: each balance is the one below it after the change.
  expect(all.map(({ balance, change }) => balance - change)).toEqual([
    ...all.slice(1).map(({ balance }) => balance),
    0,
  ]);
});

it('returns four weeks of credits, day by day, and each entry', async () => {
  const sdk = await open('ada');
  const before = await balanceOf(sdk);
  await start(sdk, 'a fox', { kind: 'clip' });
  const { id } = await start(sdk, 'an owl');
  await sdk.generations.cancel(id);
  const { balance, days, entries, nextCursor } = await sdk.credits.history();
  expect([balance, days.length, entries[0]?.balance]).toEqual([before - 5, 28, before - 5]);
  const today = new Date().toISOString().slice(0, 10);
  expect(days.at(-1)).toEqual({ day: today, spent: 5, balance });
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted());
  expect(nextCursor).toBeNull();
  await expect(sdk.credits.history({ cursor: 'zzz' })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_cursor',
  });
});
