/** The table that the durability tests write to. */
import type { Migrations } from '../../app/store/migrate.server';

export interface PairTables {
  /** `pair` is the same id in two rows written in one transaction, and empty in a row written alone. */
  pair: { id: string; pair: string; words: string };
}

export const pairMigrations: Migrations = {
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
