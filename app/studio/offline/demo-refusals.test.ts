/** What the simulated platform refuses or fails when asked to, in the offline demo. */
import { expect, it } from 'vitest';
import {
  balanceOf,
  newKey,
  open,
  order,
  pass,
  picture as png,
  start,
  streamOf,
} from '~/testing/studio/offline-studio';
import { bytesOf } from '~/testing/studio/generation-data';

it.each([
  ['refuse please', 422, 'prompt_refused'],
  ['hurry please', 429, 'rate_limited'],
])('refuses an order with “%s”, at no cost', async (words, status, code) => {
  const sdk = await open('ada');
  const refused = sdk.generations.submit(order(['a fox', words]), newKey());
  await expect(refused).rejects.toMatchObject({ status, code, message: code });
  expect((await sdk.generations.list()).items).toEqual([]);
  expect(await balanceOf(sdk)).toBe(100);
});

it.each([
  ['fail please', 'provider_failed'],
  ['refuse later please', 'prompt_refused'],
  ['time out please', 'timed_out'],
  ['surprise please', 'unknown'],
])(
  'reports a job that fails by “%s” with the site’s code %s, and refunds it [W20 W33]',
  async (words, failure) => {
    const sdk = await open('ada');
    const { id } = await start(sdk, words, { kind: 'clip' });
    expect(await balanceOf(sdk)).toBe(95);
    pass(60_000);
    const failed = await sdk.generations.get(id);
    expect(failed).toMatchObject({ status: 'failed', failure, output: null });
    expect(JSON.stringify(failed)).not.toContain('canary');
    const { balance, entries } = await sdk.credits.history();
    expect([balance, entries[0]?.reason, entries[0]?.generation]).toEqual([100, 'refund', id]);
  },
);

it('stores no harmful file', async () => {
  const eicar = Buffer.from(
    'WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FSLVNUQU5EQVJELUFOVElWSVJVUy1URVNULUZJTEUhJEgrSCo=',
    'base64',
  );
  const sdk = await open('ada');
  await expect(sdk.media.upload(streamOf(png, eicar))).rejects.toMatchObject({
    status: 422,
    code: 'infected_media',
  });
  // A kilobyte that decompresses to a billion pixels.
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(40_000, 16);
  bomb.writeUInt32BE(40_000, 20);
  await expect(sdk.media.upload(streamOf(bomb))).rejects.toMatchObject({
    status: 422,
    code: 'unsupported_media',
  });
});

it('serves a byte range of an output with its place in the file, and none beyond its end [W27]', async () => {
  const sdk = await open('ada');
  const { id } = await start(sdk, 'a fox');
  pass(60_000);
  const { length } = await bytesOf(await sdk.generations.readOutput(id, 'png'));
  const part = await sdk.generations.readOutput(id, 'png', { range: 'bytes=-4' });
  expect(part).toMatchObject({
    status: 206,
    headers: { 'content-range': `bytes ${length - 4}-${length - 1}/${length}` },
  });
  expect(await bytesOf(part)).toHaveLength(4);
  const beyond = sdk.generations.readOutput(id, 'png', { range: `bytes=${length}-` });
  await expect(beyond).rejects.toMatchObject({
    status: 416,
    headers: { 'content-range': `bytes */${length}` },
  });
});

it('limits how many generations run at once', async () => {
  const sdk = await open('xochitl');
  const six = order(['1', '2', '3', '4', '5', '6']);
  for (let batch = 0; batch < 4; batch += 1) await sdk.generations.submit(six, newKey());
  await expect(start(sdk, 'one more')).rejects.toMatchObject({
    status: 429,
    code: 'too_many_running',
  });
  pass(10_000);
  expect((await start(sdk, 'one more')).prompt).toBe('one more');
});
