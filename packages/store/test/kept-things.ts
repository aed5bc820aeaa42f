/** A minimal product with a table, for the store's own tests. */
import { columnsOf, newId, type Flag, type Timestamp } from '../src/columns.ts';
import type { Migrations } from '../src/migrate.ts';
import { defineStore } from '../src/store.ts';

export interface ThingTables {
  thing: { id: string; name: string; made_at: Timestamp; done: Flag; bytes: Uint8Array | null };
}

export const thingMigrations: Migrations = {
  '2026_01_01_thing': {
    async up(db) {
      const { id, timestamp, flag, bytes } = columnsOf(db);
      await db.schema
        .createTable('thing')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull().unique())
        .addColumn('made_at', timestamp, (column) => column.notNull())
        .addColumn('done', flag, (column) => column.notNull())
        .addColumn('bytes', bytes)
        .execute();
    },
  },
};

export const { store, openStore, closeStore } = defineStore({
  url: () => 'file::each test names its own:',
  migrations: thingMigrations,
});

export const things = () => store<ThingTables>();

export function thing(name: string) {
  return {
    id: newId(),
    name,
    made_at: new Date('2026-11-23T01:02:03.456Z'),
    done: true,
    bytes: Buffer.from([0, 255]),
  };
}

export async function addThing(name: string): Promise<void> {
  await things().insertInto('thing').values(thing(name)).execute();
}

export async function thingNames(): Promise<string[]> {
  const rows = await things().selectFrom('thing').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}
