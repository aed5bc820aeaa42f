/**
 * The tables of notes. Rows that reference `account.id` through `account_id` are exported and
 * deleted with the account; rows that reference a note are deleted with it.
 */
import { sql, type Kysely } from 'kysely';
import { columnsOf } from '@gatehouse/store';

export const noteMigrations = {
  '2026_11_20_notes': {
    async up(db: Kysely<unknown>) {
      const { id, timestamp, flag, integer } = columnsOf(db);
      await db.schema
        .createTable('note')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('search_text', 'text', (column) => column.notNull())
        .addColumn('pinned', flag, (column) => column.notNull())
        .addColumn('version', integer, (column) => column.notNull())
        .addColumn('created_at', timestamp, (column) => column.notNull())
        .addColumn('updated_at', timestamp, (column) => column.notNull())
        .addColumn('deleted_at', timestamp)
        .execute();
      await db.schema
        .createTable('note_tag')
        .addColumn('note_id', id, (column) =>
          column.notNull().references('note.id').onDelete('cascade'),
        )
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('tag', 'text', (column) => column.notNull())
        .addColumn('pinned', flag, (column) => column.notNull())
        .addColumn('updated_at', timestamp, (column) => column.notNull())
        .addPrimaryKeyConstraint('note_tag_once', ['note_id', 'tag'])
        .execute();
      // In list order. This index and the next are partial: with `deleted_at` as an index column,
      // PostgreSQL would fetch and sort all notes for each page until the table has been analysed.
      await db.schema
        .createIndex('note_listed')
        .on('note')
        .columns(['account_id', 'pinned', 'updated_at', 'id'])
        .where(sql.ref('deleted_at'), 'is', null)
        .execute();
      await db.schema
        .createIndex('note_deleted')
        .on('note')
        .columns(['account_id', 'deleted_at'])
        .where(sql.ref('deleted_at'), 'is not', null)
        .execute();
      // For exports, which read in this order, and for deleting an account.
      await db.schema
        .createIndex('note_of_account')
        .on('note')
        .columns(['account_id', 'id'])
        .execute();
      await db.schema
        .createIndex('note_tag_listed')
        .on('note_tag')
        .columns(['account_id', 'tag', 'pinned', 'updated_at', 'note_id'])
        .execute();
    },
  },
};
