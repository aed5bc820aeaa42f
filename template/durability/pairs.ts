/** The store that the durability tests write to, with one table. */
import { defineStore, type Migrations } from '@gatehouse/store';

export interface PairTables {
  /** `pair` is the same id in two rows written in one transaction, and empty in a row written alone. */
  pair: { id: string; pair: string; words: string };
}

const migrations: Migrations = {
  '2026_01_01_pair': {
    async up(db) {
      await db.schema
        .createTable('pair')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('pair', 'text', (column) => column.notNull())
        .addColumn('words', 'text', (column) => column.notNull())
        .execute();
    },
  },
};

export const { store, openStore, closeStore } = defineStore({
  url: () => 'file::each test names its own:',
  migrations,
});
