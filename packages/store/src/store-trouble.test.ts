/** The file store in trouble: clear errors, no data loss, and automatic recovery. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addThing,
  closeStore,
  openStore,
  thing,
  thingMigrations,
  thingNames,
  things,
} from '../test/kept-things.ts';
import { openFile } from './file.ts';
import type { Migrations } from './migrate.ts';
import type { StoreSettings } from './store.ts';
import { isStoreUnavailable, storeUnavailableResponse } from './unavailable.ts';

let folder = '';
let file = '';
let settings: StoreSettings;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'store-'));
  file = path.join(folder, 'site.db');
  settings = { url: `file:${file}`, migrations: thingMigrations, patience: 50 };
});
afterEach(async () => {
  await closeStore();
  await rm(folder, { recursive: true, force: true });
});

/** The message contains none of the database's own text. */
const unavailable = (reason: string) => ({
  name: 'StoreUnavailable',
  reason,
  message: expect.not.stringMatching(/database|SQL/i) as string,
});

test('an error that is its own cause is not a trouble of the store', () => {
  const error = new Error('a');
  error.cause = new Error('b', { cause: error });
  expect(isStoreUnavailable(error)).toBe(false);
});

test('on a full disk, writes fail and nothing is lost, and they succeed once there is space', async () => {
  const { db } = await openStore(settings);
  await addThing('before');
  await sql`pragma max_page_count = 1`.execute(db);
  const bytes = Buffer.alloc(100_000);
  const big = () =>
    things()
      .insertInto('thing')
      .values({ ...thing('big'), bytes })
      .execute();
  await expect(big()).rejects.toMatchObject(unavailable('full'));
  const inTransaction = things()
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .insertInto('thing')
        .values({ ...thing('big'), bytes })
        .execute();
    });
  await expect(inTransaction).rejects.toMatchObject(unavailable('full'));
  expect(await thingNames()).toEqual(['before']);

  await sql`pragma max_page_count = 100000`.execute(db);
  await big();
  expect(await thingNames()).toEqual(['before', 'big']);
});

test('while another process holds the lock for too long, writes fail and reads work, and writes recover afterwards', async () => {
  await openStore(settings);
  await addThing('before');
  const other = openFile(file, 'writer');
  other.exec('BEGIN IMMEDIATE');
  await expect(addThing('a')).rejects.toMatchObject(unavailable('locked'));
  await expect(
    things()
      .transaction()
      .execute(() => Promise.resolve()),
  ).rejects.toMatchObject(unavailable('locked'));
  expect(await thingNames()).toEqual(['before']);
  other.exec('COMMIT');
  await addThing('a');
  // Acknowledged writes are visible to another connection.
  expect(await thingNames()).toEqual(['a', 'before']);
  await addThing('b');
  await closeStore();
  await openStore(settings);
  expect(await thingNames()).toEqual(['a', 'b', 'before']);
});

test('writes that queue behind another process’s lock all fail at the same time', async () => {
  await openStore({ ...settings, patience: 300 });
  const other = openFile(file, 'writer');
  other.exec('BEGIN IMMEDIATE');
  const began = performance.now();
  const writes = Array.from({ length: 20 }, (_, index) => addThing(`${index}`));
  for (const { status } of await Promise.allSettled(writes)) expect(status).toBe('rejected');
  expect(performance.now() - began).toBeLessThan(20 * 300);
  other.exec('COMMIT');
  await addThing('a');
  expect(await thingNames()).toEqual(['a']);
});

test('a write waits for another process’s, without blocking the event loop', async () => {
  await openStore({ ...settings, patience: 20_000 });
  const other = openFile(file, 'writer');
  other.exec('BEGIN IMMEDIATE');
  const written = addThing('a');
  for (let reads = 0; reads < 5; reads++) expect(await thingNames()).toEqual([]);
  other.exec('COMMIT');
  await written;
  expect(await thingNames()).toEqual(['a']);
});

test('a store that cannot be opened after the start is unavailable, and recovers afterwards', async () => {
  await openStore(settings);
  await rename(file, `${file}.away`);
  await mkdir(file);
  await expect(thingNames()).rejects.toMatchObject(unavailable('unreachable'));
  await rm(file, { recursive: true });
  await rename(`${file}.away`, file);
  await addThing('a');
  expect(await thingNames()).toEqual(['a']);
});

test('an unavailable store is a retryable 503 that reveals nothing about the database', async () => {
  const response = storeUnavailableResponse();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toEqual({ error: 'store_unavailable' });
});

const add = (table: string) => async (db: Kysely<unknown>) => {
  await db.schema.createTable(table).addColumn('id', 'text').execute();
};

test('a failed migration leaves the store unchanged, and succeeds at the next start once it is fixed', async () => {
  const broken: Migrations = {
    ...thingMigrations,
    '2026_02_01_first': { up: add('first') },
    '2026_02_02_half': {
      async up(db) {
        await add('half')(db);
        await sql`insert into nowhere values (1)`.execute(db);
      },
    },
  };
  await openStore(settings);
  await addThing('before');
  await closeStore();

  await expect(openStore({ ...settings, migrations: broken })).rejects.toMatchObject({
    name: 'StartError',
    message:
      'The migration 2026_02_02_half failed, and the store is as it was before: no such table: nowhere.',
  });
  const tables = async (db: Kysely<unknown>) =>
    (await db.introspection.getTables()).map(({ name }) => name);
  const { db } = await openStore(settings);
  expect(await tables(db)).toEqual(['thing']);
  expect(await thingNames()).toEqual(['before']);
  await closeStore();

  const mended = await openStore({
    ...settings,
    migrations: { ...broken, '2026_02_02_half': { up: add('half') } },
  });
  expect(await tables(mended.db)).toEqual(['first', 'half', 'thing']);
});

test('a build without some of the store’s migrations does not start', async () => {
  await openStore(settings);
  await closeStore();
  await expect(openStore({ ...settings, migrations: {} })).rejects.toThrow(
    /^The store has the migration 2026_01_01_thing, which this build does not know[^\n]+\.$/,
  );
});

test('a product can be added after newer migrations of another one', async () => {
  await openStore(settings);
  await closeStore();
  const migrations = { ...thingMigrations, '2025_12_01_older': { up: add('older') } };
  const { db } = await openStore({ ...settings, migrations });
  expect((await db.introspection.getTables()).map(({ name }) => name)).toEqual(['older', 'thing']);
});

test('an invalid file or path fails the start with one sentence', async () => {
  await writeFile(file, 'this is no database\n'.repeat(1_000));
  await expect(openStore(settings)).rejects.toMatchObject({
    name: 'StartError',
    message: `DATABASE_URL names the file ${file} that cannot be opened: file is not a database.`,
  });
  await mkdir(path.join(folder, 'folder.db'));
  for (const place of ['site.db/below/site.db', 'folder.db']) {
    await expect(openStore({ ...settings, url: `file:${folder}/${place}` })).rejects.toThrow(
      /^DATABASE_URL names the file [^\n]+ that cannot be opened: [^\n]+\.$/,
    );
  }
});
