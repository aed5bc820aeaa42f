/** The adapter between the library and its storage: plain tokens outside, digests inside. */
import { expect, test } from 'vitest';
import { memoryAdapter, type MemoryDB } from 'better-auth/adapters/memory';
import { digestOf, withTokenDigests } from './token-digests.ts';

const now = new Date();
const row = (token: string) => ({
  id: `id of ${token}`,
  userId: 'u1',
  token,
  expiresAt: now,
  createdAt: now,
  updatedAt: now,
});

async function storeWith(...tokens: string[]) {
  const kept: MemoryDB = { session: [], user: [], account: [], verification: [] };
  const adapter = withTokenDigests(memoryAdapter(kept))({});
  for (const token of tokens) {
    await adapter.create({ model: 'session', data: row(token), forceAllowId: true });
  }
  return { adapter, tokens: () => kept['session']?.map(({ token }: { token: string }) => token) };
}

const where = (value: string | string[], operator: 'eq' | 'in' = 'eq') => [
  { field: 'token', value, operator },
];

test('a new session is stored by its digest, and returned with its token', async () => {
  const { adapter, tokens } = await storeWith();
  const made = await adapter.create({ model: 'session', data: row('t1'), forceAllowId: true });
  expect(made.token).toBe('t1');
  expect(tokens()).toEqual([digestOf('t1')]);
});

test('a session is found by its token, and not by its digest', async () => {
  const { adapter } = await storeWith('t1', 't2');
  const find = (value: string) => adapter.findOne({ model: 'session', where: where(value) });
  expect(await find('t1')).toMatchObject({ token: 't1', userId: 'u1' });
  expect(await find(digestOf('t1'))).toBeNull();
  expect(await find('t3')).toBeNull();
});

test('several sessions are found and counted by their tokens, and returned with digests', async () => {
  const { adapter } = await storeWith('t1', 't2', 't3');
  const call = { model: 'session', where: where(['t1', 't3'], 'in') };
  expect(await adapter.findMany(call)).toMatchObject([
    { token: digestOf('t1') },
    { token: digestOf('t3') },
  ]);
  expect(await adapter.count(call)).toBe(2);
});

test('a session is updated and deleted by its token', async () => {
  const { adapter, tokens } = await storeWith('t1', 't2', 't3');
  const update = { model: 'session', where: where('t1'), update: { userAgent: 'x' } };
  expect(await adapter.update(update)).toMatchObject({ token: 't1', userAgent: 'x' });
  await adapter.update({ model: 'session', where: where('t1'), update: { token: 't4' } });
  expect(tokens()).toEqual(['t4', 't2', 't3'].map(digestOf));
  await adapter.delete({ model: 'session', where: where('t2') });
  expect(await adapter.deleteMany({ model: 'session', where: where(['t3'], 'in') })).toBe(1);
  expect(tokens()).toEqual([digestOf('t4')]);
});

test('transactions behave the same', async () => {
  const { adapter, tokens } = await storeWith();
  await adapter.transaction(async (inner) => {
    await inner.create({ model: 'session', data: row('t1'), forceAllowId: true });
    expect(await inner.findOne({ model: 'session', where: where('t1') })).toMatchObject({
      token: 't1',
    });
  });
  expect(tokens()).toEqual([digestOf('t1')]);
});

test('tokens of other models are unchanged', async () => {
  const { adapter } = await storeWith();
  const data = {
    identifier: 'x',
    value: 'v',
    token: 't1',
    expiresAt: now,
    createdAt: now,
    updatedAt: now,
  };
  expect(await adapter.create({ model: 'verification', data })).toMatchObject({ value: 'v' });
});
