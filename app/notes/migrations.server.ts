/**
 * The tables of notes. What references `account.id` by a column `account_id` is exported and deleted with the account;
 * what references a note goes with the note.
 */
import { sql, type Kysely } from 'kysely';
import { columnsOf, storeKind } from '~/store/columns.server';

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
      // In the order of the list. It and the next are partial: with an index of `deleted_at` for all notes PostgreSQL
      // would gather and sort every note for a page, until it has counted the table.
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
      // An export's order, and what the end of an account looks for.
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
      for (const statement of searchIndex[storeKind(db)]) await sql.raw(statement).execute(db);
    },
  },
};

/** Made of `search_text`, and kept up by the database itself: `stored/search.server.ts` says how it is asked. */
const searchIndex = {
  postgres: [
    `alter table note add column search_vector tsvector
       generated always as (array_to_tsvector(string_to_array(ltrim(search_text), ' '))) stored`,
    'create index note_searched on note using gin (search_vector)',
  ],
  sqlite: [
    'alter table note add column search_id integer',
    'create unique index note_searched on note (search_id)',
    // It keeps no text, no place of a word and no count: which notes have it is all that is asked.
    `create virtual table note_search
       using fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    `create trigger note_search_added after insert on note begin
       insert into note_search (words) values (new.search_text);
       update note set search_id = last_insert_rowid() where id = new.id;
     end`,
    `create trigger note_search_changed after update of search_text on note begin
       insert or replace into note_search (rowid, words) values (new.search_id, new.search_text);
     end`,
    `create trigger note_search_removed after delete on note begin
       delete from note_search where rowid = old.search_id;
     end`,
  ],
};
