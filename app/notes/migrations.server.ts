/**
 * The tables of notes. Rows that reference `account.id` through `account_id` are exported and
 * deleted with the account; rows that reference a note are deleted with it.
 */
import { sql, type Kysely } from 'kysely';
import { columnsOf, readFlag, readTimestamp, storeKind } from '@gatehouse/store';
import { tagsFrom } from './schemas.server';
import { insertTags, tagsOf } from './stored/rows.server';
import { searchTextOf } from './stored/search.server';
import type { NoteTables } from './tables.server';

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
      for (const statement of searchIndex[storeKind(db)]) await sql.raw(statement).execute(db);
    },
  },
  /** Replaces the databases’ full-text indexes by text that a search reads. */
  '2026_11_27_note_search': {
    async up(db: Kysely<NoteTables>) {
      for (const statement of noSearchIndex[storeKind(db)]) await sql.raw(statement).execute(db);
      await computeWords(db);
    },
  },
  /** Symbols, apostrophes and other forms of letters are searched; tags that look alike are one. */
  '2026_11_28_note_words': { up: computeWords },
};

/** The tags and the search text of all notes. Also for a migration that comes with a change of `tagOf` or `searchTextOf`. */
async function computeWords(db: Kysely<NoteTables>): Promise<void> {
  const atOnce = 500;
  for (let after: string | undefined = ''; after !== undefined;) {
    const notes = await db
      .selectFrom('note')
      .select(['id', 'account_id', 'title', 'text', 'pinned', 'updated_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    const tags = await tagsOf(
      db,
      notes.map(({ id }) => id),
    );
    for (const { id, account_id, pinned, updated_at, ...words } of notes) {
      const previous = tags.get(id) ?? [];
      const current = tagsFrom(previous);
      if (current.join() !== previous.join()) {
        await db.deleteFrom('note_tag').where('note_id', '=', id).execute();
        const [flag, updatedAt] = [readFlag(pinned), readTimestamp(updated_at)];
        await insertTags(db, account_id, [
          { id, words: { tags: current }, pinned: flag, updatedAt },
        ]);
      }
      const search_text = searchTextOf({ ...words, tags: current });
      await db.updateTable('note').set({ search_text }).where('id', '=', id).execute();
    }
    after = notes.at(atOnce - 1)?.id;
  }
}

const searchIndex = {
  postgres: [
    `alter table note add column search_vector tsvector
       generated always as (array_to_tsvector(string_to_array(ltrim(search_text), ' '))) stored`,
    'create index note_searched on note using gin (search_vector)',
  ],
  sqlite: [
    'alter table note add column search_id integer',
    'create unique index note_searched on note (search_id)',
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

const noSearchIndex = {
  postgres: ['alter table note drop column search_vector'],
  sqlite: [
    'drop trigger note_search_added',
    'drop trigger note_search_changed',
    'drop trigger note_search_removed',
    'drop table note_search',
    'drop index note_searched',
    'alter table note drop column search_id',
  ],
};
