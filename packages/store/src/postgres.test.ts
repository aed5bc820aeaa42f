/** The store on PostgreSQL: what `store.test.ts` tests on a file, and PostgreSQL's own errors. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addThing,
  closeStore,
  openStore,
  thing,
  thingMigrations,
  thingNames,
  things,
} from '../test/kept-things.ts';
import { readFlag, readTimestamp } from './columns.ts';
import type { Migrations } from './migrate.ts';
import { databaseSetting } from './settings.ts';
import {
  hasOwnPostgres,
  hasPostgres,
  postgresDatabases,
  startPostgres,
  type PostgresDatabases,
  type PostgresServer,
} from './testing/postgres-server.ts';

afterEach(closeStore);

const unavailable = (reason: string) => ({
  name: 'StoreUnavailable',
  reason,
  message: expect.not.stringMatching(/127\.0\.0\.1|connect |SQL|terminat/) as string,
});

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  let databases: PostgresDatabases;
  let url = '';
  beforeAll(async () => {
    databases = await postgresDatabases();
  });
  afterAll(() => databases.stop());
  beforeEach(async () => {
    url = await databases.newDatabase();
  });
  const open = (settings: Parameters<typeof openStore>[0] = {}) => openStore({ url, ...settings });

  test('stores values, and reads them in the same types as the file store', async () => {
    await open();
    await addThing('a');
    await closeStore();
    await open();
    const row = await things().selectFrom('thing').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: 'a', bytes: Buffer.from([0, 255]) });
    expect(readTimestamp(row.made_at)).toEqual(new Date('2026-11-23T01:02:03.456Z'));
    expect(readFlag(row.done)).toBe(true);
    const count = things()
      .selectFrom('thing')
      .select((of) => of.fn.countAll().as('count'));
    expect(await count.executeTakeFirst()).toEqual({ count: 1 });
  });

  test('a transaction is atomic', async () => {
    await open();
    await addThing('a');
    const two = things()
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto('thing').values(thing('b')).execute();
        await transaction.insertInto('thing').values(thing('a')).execute();
      });
    await expect(two).rejects.toMatchObject({ code: '23505' });
    expect(await thingNames()).toEqual(['a']);
  });

  test('a migration that fails half way is rolled back, and succeeds once corrected', async () => {
    const then = (up: Migrations[string]['up']) => ({
      ...thingMigrations,
      '2026_02_01_half': { up },
    });
    const tables = async () => (await things().introspection.getTables()).map(({ name }) => name);
    await open();
    await closeStore();
    const broken = then(async (db) => {
      await sql`create table half (id text)`.execute(db);
      await sql`insert into nowhere values (1)`.execute(db);
    });
    await expect(open({ migrations: broken })).rejects.toMatchObject({
      name: 'StartError',
      message:
        'The migration 2026_02_01_half failed, and the store is as it was before: relation "nowhere" does not exist.',
    });
    await open();
    expect(await tables()).toEqual(['thing']);
    await closeStore();
    await open({
      migrations: then(async (db) => {
        await sql`create table half (id text)`.execute(db);
      }),
    });
    expect(await tables()).toEqual(['half', 'thing']);
  });

  test('an exhausted pool times out, and works again once a connection is released', async () => {
    await open({ connections: 1, patience: 100 });
    await things()
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto('thing').values(thing('a')).execute();
        await expect(thingNames()).rejects.toMatchObject(unavailable('timeout'));
      });
    expect(await thingNames()).toEqual(['a']);
  });

  test('a statement times out, also while it waits for a lock, and the next one succeeds', async () => {
    const { db } = await open({ statementTimeout: 200 });
    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toMatchObject(
      unavailable('timeout'),
    );
    await addThing('a');
    await things()
      .transaction()
      .execute(async (transaction) => {
        await transaction.deleteFrom('thing').execute();
        const waits = things().updateTable('thing').set({ name: 'b' }).execute();
        await expect(waits).rejects.toMatchObject(unavailable('timeout'));
      });
    expect(await thingNames()).toEqual([]);
  });

  test('a full disk is reported, and the next write succeeds', async () => {
    const { db } = await open();
    const full = sql`do $$ begin raise exception 'canary' using errcode = 'disk_full'; end $$`;
    await expect(full.execute(db)).rejects.toMatchObject(unavailable('full'));
    await addThing('a');
  });

  test('a wrong database name stops the start at once with one sentence', async () => {
    const wrong = Object.assign(new URL(url), {
      pathname: '/nowhere',
      password: 'canary',
    });
    const refused = openStore({ url: wrong.href });
    await expect(refused).rejects.toMatchObject({
      name: 'StartError',
      message:
        'DATABASE_URL names a database that cannot be opened: database "nowhere" does not exist.',
    });
  });
});

test('an unreachable database stops the start with one sentence, after a timeout', async () => {
  const problems: Error[] = [];
  const refused = openStore({
    url: 'postgres://site:canary@127.0.0.1:9/site',
    startPatience: 200,
    onProblem: (problem) => problems.push(problem),
  });
  await expect(refused).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(
      /^DATABASE_URL names a database that cannot be opened: (?!.*canary)[^\n]*ECONNREFUSED[^\n]*\.$/,
    ) as string,
  });
  expect(problems[0]).toMatchObject(unavailable('unreachable'));
});

describe.skipIf(!hasOwnPostgres)('with a PostgreSQL server of its own', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('the start waits for a database that is still starting', async () => {
    const url = await server.newDatabase();
    await server.kill();
    const opened = openStore({ url });
    await server.start();
    await opened;
    expect(await thingNames()).toEqual([]);
  });

  test('a socket’s address in DATABASE_URL opens the store', async () => {
    const { port, pathname } = new URL(await server.newDatabase());
    const folder = encodeURIComponent(server.folder);
    for (const address of [
      `postgres:///${pathname.slice(1)}?host=${server.folder}&port=${port}&user=site`,
      `postgresql://site@${folder}:${port}${pathname}`,
      `postgres://site@${pathname}?host=${folder}&port=${port}`,
    ]) {
      const url = databaseSetting(() => null).schema.parse(address);
      await openStore({ url, startPatience: 0 });
      expect(await thingNames()).toEqual([]);
      await closeStore();
    }
  });

  test('a database crash fails queries with a retryable error, and the store recovers', async () => {
    const problems: string[] = [];
    await openStore({
      url: await server.newDatabase(),
      onProblem: ({ message }) => problems.push(message),
    });
    await Promise.all(['a', 'b', 'c'].map(addThing));
    const inFlight = things()
      .transaction()
      .execute(async (transaction) => {
        await transaction.insertInto('thing').values(thing('lost')).execute();
        await server.kill();
        await transaction.insertInto('thing').values(thing('lost too')).execute();
      });
    await expect(inFlight).rejects.toMatchObject(unavailable('unreachable'));
    await expect(thingNames()).rejects.toMatchObject(unavailable('unreachable'));
    await server.start();
    expect(await thingNames()).toEqual(['a', 'b', 'c']);
    // The pool's idle connections failed too, which must not crash the process.
    expect(problems.length).toBeGreaterThan(0);
  });
});
