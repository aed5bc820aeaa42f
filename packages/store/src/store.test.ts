/** The file store: what every product can rely on. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addThing,
  closeStore,
  openStore,
  store,
  thing,
  thingNames,
  things,
} from '../test/kept-things.ts';
import { readFlag, readTimestamp } from './columns.ts';
import { joinMigrations } from './migrate.ts';

let folder = '';
let url = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-'));
  url = `file:${path.join(folder, 'data', 'site.db')}`;
});
afterEach(async () => {
  await closeStore();
  await rm(folder, { recursive: true, force: true });
});

test('creates its directory, and keeps its data when closed and reopened', async () => {
  await openStore({ url });
  await addThing('a');
  await closeStore();
  await openStore({ url });
  const row = await things().selectFrom('thing').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ name: 'a', bytes: Buffer.from([0, 255]) });
  expect(readTimestamp(row.made_at)).toEqual(new Date('2026-11-23T01:02:03.456Z'));
  expect(readFlag(row.done)).toBe(true);
});

test('syncs each commit to disk, and enforces foreign keys', async () => {
  const { db } = await openStore({ url });
  const pragma = async (name: string): Promise<unknown> => {
    const { rows } = await sql.raw<object>(`pragma ${name}`).execute(db);
    return rows;
  };
  expect(await pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  expect(await pragma('synchronous')).toEqual([{ synchronous: 2 }]);
  expect(await pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }]);
});

test('using a store that is not open throws', () => {
  expect(() => store()).toThrow(/^No store is open\./);
});

test('a transaction is atomic', async () => {
  await openStore({ url });
  await addThing('a');
  const two = things()
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('thing').values(thing('b')).execute();
      await transaction.insertInto('thing').values(thing('a')).execute();
    });
  await expect(two).rejects.toMatchObject({
    code: expect.stringContaining('SQLITE_CONSTRAINT') as string,
  });
  expect(await thingNames()).toEqual(['a']);
});

test('reads proceed while a transaction is open, and do not see its changes', async () => {
  await openStore({ url });
  await things()
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('thing').values(thing('a')).execute();
      expect(await thingNames()).toEqual([]);
    });
  expect(await thingNames()).toEqual(['a']);
});

test('concurrent writers queue, and see no partial transaction', async () => {
  await openStore({ url });
  const rename = (to: string) =>
    things()
      .transaction()
      .execute(async (transaction) => {
        const { name } = await transaction
          .selectFrom('thing')
          .select('name')
          .executeTakeFirstOrThrow();
        await new Promise((resolve) => setImmediate(resolve));
        await transaction
          .updateTable('thing')
          .set({ name: name + to })
          .execute();
      });
  await addThing('');
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
  await Promise.all(letters.map(rename));
  expect(Array.from((await thingNames())[0] ?? '').sort()).toEqual(letters);
});

test('a transaction can roll back to a savepoint', async () => {
  await openStore({ url });
  const transaction = await things().startTransaction().execute();
  await transaction.insertInto('thing').values(thing('a')).execute();
  const later = await transaction.savepoint('later').execute();
  await later.insertInto('thing').values(thing('b')).execute();
  await later.rollbackToSavepoint('later').execute();
  await transaction.commit().execute();
  expect(await thingNames()).toEqual(['a']);
});

test('a long result can be streamed, while other reads see new writes immediately', async () => {
  await openStore({ url });
  await Promise.all(Array.from({ length: 250 }, (_, index) => addThing(`${index}`)));
  let seen = 0;
  for await (const row of things().selectFrom('thing').select('id').stream()) {
    if (seen++ > 0) continue;
    await things().deleteFrom('thing').where('id', '!=', row.id).execute();
    expect(await thingNames()).toHaveLength(1);
  }
  expect(seen).toBe(250);
});

test('a value that no column can store is rejected without ending the process', async () => {
  await openStore({ url });
  const query = sql`insert into thing (id) values (${{ an: 'object' }})`.execute(store());
  await expect(query).rejects.toThrow(/^A column stores text, numbers/);
});

test('two migrations of one name are refused: one of them would never run', () => {
  const migration = { up: () => Promise.resolve() };
  const joined = joinMigrations({ notes: { '2026_a': migration }, birds: { '2026_b': migration } });
  expect(Object.keys(joined)).toEqual(['2026_a', '2026_b']);
  expect(() => joinMigrations({ notes: joined, birds: { '2026_b': migration } })).toThrow(
    'Two migrations are called 2026_b, one of them of birds: rename it.',
  );
});
