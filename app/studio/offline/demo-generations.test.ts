/** Generations in the offline demo: the SDK's operations, and the simulated platform's. */
import { fileTypeFromBuffer } from 'file-type';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { balanceOf, ids, newKey, open, order, pass, start } from '~/testing/studio/offline-studio';
import { bytesOf } from '~/testing/studio/generation-data';

it('makes one generation per prompt, at the estimated cost, and lists the newest first [W12 W20]', async () => {
  const sdk = await open('ada');
  const before = await balanceOf(sdk);
  const estimate = await sdk.generations.estimate({
    kind: 'picture',
    aspectRatio: '16:9',
    count: 2,
    references: 0,
  });
  expect(estimate).toEqual({ total: 2, each: 1, covered: true, balance: before });

  const made = await sdk.generations.submit(
    order(['a fox', 'an owl'], { aspectRatio: '16:9' }),
    newKey(),
  );
  expect(made).toHaveLength(2);
  expect(made[0]).toEqual({
    id: expect.any(String) as string,
    kind: 'picture',
    prompt: 'a fox',
    aspectRatio: '16:9',
    status: expect.stringMatching(/^(queued|running)$/) as string,
    progress: 0,
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    cost: 1,
    failure: null,
    references: [],
    output: null,
  });
  const { items, nextCursor } = await sdk.generations.list();
  expect([ids(items), nextCursor]).toEqual([ids(made).toReversed(), null]);
  expect(await sdk.generations.get(made[0]?.id ?? '')).toEqual(made[0]);
  expect(await balanceOf(sdk)).toBe(before - 2);
});

it('accepts an order once per idempotency key, however often it is sent', async () => {
  const sdk = await open('ada');
  const before = await balanceOf(sdk);
  const key = newKey();
  const wanted = order(['a fox', 'an owl']);
  // A double click, a retry and a second tab.
  const [first, ...others] = await Promise.all(
    [sdk, sdk, await open('ada')].map((tab) => tab.generations.submit(wanted, key)),
  );
  others.push(await sdk.generations.submit(wanted, key));
  for (const other of others) expect(ids(other)).toEqual(ids(first ?? []));
  expect((await sdk.generations.list()).items).toHaveLength(2);
  expect(await balanceOf(sdk)).toBe(before - 2);

  const another = sdk.generations.submit(order(['a hen']), key);
  await expect(another).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  // Keys are separate per person.
  const bobby = await open('bobby');
  expect(ids(await bobby.generations.submit(wanted, key))).not.toEqual(ids(first ?? []));
});

it('leaves removed generations out of an order that is sent again, and charges nothing', async () => {
  const sdk = await open('ada');
  const key = newKey();
  const wanted = order(['a fox', 'an owl']);
  const made = await sdk.generations.submit(wanted, key);
  const before = await balanceOf(sdk);
  const [fox, owl] = ids(made);
  await sdk.generations.remove(fox ?? '');
  expect(ids(await sdk.generations.submit(wanted, key))).toEqual([owl]);
  await sdk.generations.remove(owl ?? '');
  expect(await sdk.generations.submit(wanted, key)).toEqual([]);
  expect((await sdk.generations.list()).items).toEqual([]);
  expect(await balanceOf(sdk)).toBe(before);
});

it.each([
  ['picture', '3:4', 'image/png', 'png'],
  ['clip', '1:1', 'video/webm', 'webm'],
] as const)(
  'serves a finished %s of %s with its own type [W27]',
  async (kind, aspectRatio, contentType, extension) => {
    const sdk = await open('ada');
    const { id, cost } = await start(sdk, 'a fox', { kind, aspectRatio });
    expect(cost).toBe(kind === 'clip' ? 5 : 1);
    await expect(sdk.generations.readOutput(id, extension)).rejects.toMatchObject({
      status: 409,
      code: 'not_ready',
    });
    pass(1_000);
    const running = await sdk.generations.get(id);
    expect(running).toMatchObject({ status: 'running', output: null });
    expect(running.progress).toBeGreaterThan(0);

    pass(9_000);
    const { status, progress, output } = await sdk.generations.get(id);
    expect([status, progress]).toEqual(['succeeded', 1]);
    expect(output).toMatchObject({
      url: `/api/generations/${id}/output.${extension}`,
      filename: `${id}.${extension}`,
      contentType,
    });
    const file = await sdk.generations.readOutput(id, extension);
    expect(file).toMatchObject({ status: 200, contentType, filename: output?.filename });
    const bytes = await bytesOf(file);
    expect((await fileTypeFromBuffer(bytes))?.mime).toBe(contentType);
    if (kind === 'picture') {
      const { width, height } = PNG.sync.read(bytes);
      expect([width, height, null]).toEqual([output?.width, output?.height, output?.seconds]);
      expect(width / height).toBeCloseTo(3 / 4);
    } else expect(output?.seconds).toBeGreaterThan(0);
    await expect(sdk.generations.readOutput(id, 'gif')).rejects.toMatchObject({ status: 404 });
  },
);

it.each([
  ['bytes=0-9', 0, 10],
  ['bytes=8-', 8, undefined],
  ['bytes=-4', -4, undefined],
  ['bytes=-9999999', 0, undefined],
])('serves %s of an output, with its own type [W27]', async (range, from, to) => {
  const sdk = await open('ada');
  const { id } = await start(sdk, 'a fox');
  pass(60_000);
  const whole = await bytesOf(await sdk.generations.readOutput(id, 'png'));
  const part = await sdk.generations.readOutput(id, 'png', { range });
  expect(part).toMatchObject({ contentType: 'image/png', filename: `${id}.png` });
  expect(part.status).toBe(206);
  expect(Buffer.compare(await bytesOf(part), whole.subarray(from, to))).toBe(0);
});

it('cancels pending generations, refunds each once, and does not cancel finished ones', async () => {
  const sdk = await open('ada');
  const before = await balanceOf(sdk);
  const { id } = await start(sdk, 'a fox', { kind: 'clip' });
  pass(1_000);
  const canceled = await sdk.generations.cancel(id);
  expect(canceled).toMatchObject({ id, status: 'canceled', output: null });
  pass(60_000);
  expect(await sdk.generations.get(id)).toEqual(canceled);
  const finished = await start(sdk, 'an owl');
  pass(60_000);
  for (const over of [id, finished.id]) {
    await expect(sdk.generations.cancel(over)).rejects.toMatchObject({
      status: 409,
      code: 'already_finished',
    });
  }
  const { balance, entries } = await sdk.credits.history();
  expect(balance).toBe(before - finished.cost);
  expect(
    entries.slice(0, 3).map(({ change, reason, generation }) => [change, reason, generation]),
  ).toEqual([
    [-1, 'generation', finished.id],
    [5, 'refund', id],
    [-5, 'generation', id],
  ]);
});

it('removes a generation from every list, and restores it', async () => {
  const sdk = await open('ada');
  const { id } = await start(sdk, 'a fox');
  pass(60_000);
  const whole = await sdk.generations.get(id);
  await sdk.generations.remove(id);
  expect((await sdk.generations.list()).items).toEqual([]);
  for (const gone of [
    () => sdk.generations.get(id),
    () => sdk.generations.remove(id),
    () => sdk.generations.cancel(id),
    () => sdk.generations.readOutput(id, 'png'),
  ]) {
    await expect(gone()).rejects.toMatchObject({ status: 404, code: 'not_found' });
  }
  expect(await sdk.generations.restore(id)).toEqual(whole);
  expect((await sdk.generations.list()).items).toEqual([whole]);
});

it('lists by page, by kind and by status', async () => {
  const sdk = await open('xochitl');
  const clip = await start(sdk, 'a clip', { kind: 'clip' });
  for (let batch = 0; batch < 5; batch += 1) {
    await sdk.generations.submit(order(['1', '2', '3', '4', '5', '6']), newKey());
    pass(10_000);
  }
  const last = await start(sdk, 'the last one');
  const canceled = await start(sdk, 'a mistake');
  await sdk.generations.cancel(canceled.id);

  const first = await sdk.generations.list();
  expect(first.items).toHaveLength(24);
  const second = await sdk.generations.list({ cursor: first.nextCursor ?? '' });
  const all = [...ids(first.items), ...ids(second.items)];
  expect([new Set(all).size, second.nextCursor]).toEqual([33, null]);

  const listed = async (filter: Parameters<typeof sdk.generations.list>[0]) =>
    ids((await sdk.generations.list(filter)).items);
  expect(await listed({ kind: 'clip' })).toEqual([clip.id]);
  expect(await listed({ status: 'pending' })).toEqual([last.id]);
  expect(await listed({ status: 'canceled' })).toEqual([canceled.id]);
  expect(await listed({ status: 'failed' })).toEqual([]);
  expect(await listed({ status: 'succeeded', kind: 'picture' })).toHaveLength(24);
  await expect(sdk.generations.list({ cursor: 'zzz' })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_cursor',
  });
});

it('reports pending generations and each of their changes, until aborted', async () => {
  const sdk = await open('ada');
  const early = await start(sdk, 'a fox');
  const stop = new AbortController();
  const reported: string[] = [];
  for await (const { id, status } of sdk.generations.watch({ signal: stop.signal })) {
    const name = id === early.id ? 'early' : 'late';
    reported.push(`${name} ${status === 'queued' ? 'running' : status}`);
    if (reported.length === 1) {
      await start(sdk, 'an owl');
      pass(1_500);
    }
    if (reported.at(-1) === 'late running') pass(60_000);
    if (reported.filter((line) => line.endsWith('succeeded')).length === 2) stop.abort();
  }
  expect(new Set(reported)).toEqual(
    new Set(['early running', 'late running', 'early succeeded', 'late succeeded']),
  );
});
