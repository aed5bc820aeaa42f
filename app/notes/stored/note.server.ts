/** One note, read and written. Whoever calls says whose: each query has the owner in it, not only the note's id. */
import { readFlag, readTimestamp } from '~/store/columns.server';
import { store } from '~/store/store.server';
import type { Note, NoteWords } from '../note';
import type { NoteTables } from '../tables.server';
import { insertTags, rowOf, tagsOf, type Db } from './rows.server';
import { searchTextOf } from './search.server';

/** A note, and whether it is one that can be brought back. Null where the owner has no such note. */
export async function readNote(owner: string, id: string): Promise<AnyNote | null> {
  return readAny(store<NoteTables>(), owner, id);
}

/** What a deleted note was called, while it can be brought back. */
export async function deletedTitle(owner: string, id: string): Promise<string | null> {
  const row = await store<NoteTables>()
    .selectFrom('note')
    .select(['title'])
    .where('id', '=', id)
    .where('account_id', '=', owner)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return row?.title ?? null;
}

/**
 * @param id made by the page, so that a form that is sent twice makes one note.
 * @returns false where it is somebody else's note's.
 */
export async function addNote(owner: string, id: string, words: NoteWords): Promise<boolean> {
  return store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      const now = new Date();
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('note')
        .values(rowOf(owner, id, words, { pinned: false, createdAt: now, updatedAt: now }))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      if (!numInsertedOrUpdatedRows) return (await readAny(db, owner, id)) !== null;
      await insertTags(db, owner, [{ id, words, pinned: false, updatedAt: now }]);
      return true;
    });
}

export type AnyNote = Note & { deleted: boolean };

export type Saved = 'saved' | 'absent' | AnyNote;

/**
 * Saves what was written on top of a version. Where the note has another one by now, nothing changes, and what it
 * has become is returned. A deleted note comes back.
 */
export async function saveNote(
  owner: string,
  { id, version }: Pick<Note, 'id' | 'version'>,
  words: NoteWords,
): Promise<Saved> {
  return store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      const { title, text } = words;
      const now = new Date();
      const saved = await db
        .updateTable('note')
        .set((of) => ({
          title,
          text,
          search_text: searchTextOf(owner, words),
          version: of('version', '+', 1),
          updated_at: now,
          deleted_at: null,
        }))
        .where('id', '=', id)
        .where('account_id', '=', owner)
        .where('version', '=', version)
        .returning('pinned')
        .executeTakeFirst();
      if (!saved) {
        const other = await readAny(db, owner, id);
        if (!other) return 'absent';
        // The same form, sent again: its answer was lost.
        return !other.deleted && areSame(other, words) ? 'saved' : other;
      }
      await db.deleteFrom('note_tag').where('note_id', '=', id).execute();
      const pinned = readFlag(saved.pinned);
      await insertTags(db, owner, [{ id, words, pinned, updatedAt: now }]);
      return 'saved';
    });
}

/** Is no new version: what somebody writes in another tab is none the worse for it. */
export async function pinNote(owner: string, id: string, pinned: boolean): Promise<boolean> {
  return store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('note')
        .set({ pinned })
        .where('id', '=', id)
        .where('account_id', '=', owner)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!numUpdatedRows) return false;
      await db.updateTable('note_tag').set({ pinned }).where('note_id', '=', id).execute();
      return true;
    });
}

/** Milliseconds for which a deleted note can be brought back at least. */
const undoable = 24 * 60 * 60 * 1000;

/** Hides a note. It is gone for good with the first deletion after a day. */
export async function deleteNote(owner: string, id: string): Promise<boolean> {
  const now = new Date();
  return store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      await db
        .deleteFrom('note')
        .where('account_id', '=', owner)
        .where('deleted_at', '<', new Date(now.getTime() - undoable))
        .execute();
      const { numUpdatedRows } = await db
        .updateTable('note')
        .set((of) => ({ deleted_at: now, version: of('version', '+', 1) }))
        .where('id', '=', id)
        .where('account_id', '=', owner)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0;
    });
}

/** Brings a deleted note back. */
export async function restoreNote(owner: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await store<NoteTables>()
    .updateTable('note')
    .set((of) => ({ deleted_at: null, version: of('version', '+', 1) }))
    .where('id', '=', id)
    .where('account_id', '=', owner)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0;
}

async function readAny(db: Db, owner: string, id: string): Promise<AnyNote | null> {
  const row = await db
    .selectFrom('note')
    .select(['title', 'text', 'pinned', 'version', 'updated_at', 'deleted_at'])
    .where('id', '=', id)
    .where('account_id', '=', owner)
    .executeTakeFirst();
  if (!row) return null;
  const { title, text, pinned, version, updated_at, deleted_at } = row;
  return {
    id,
    title,
    text,
    tags: (await tagsOf(db, [id])).get(id) ?? [],
    pinned: readFlag(pinned),
    version,
    updatedAt: readTimestamp(updated_at).toISOString(),
    deleted: deleted_at !== null,
  };
}

function areSame(one: NoteWords, other: NoteWords): boolean {
  return (
    one.title === other.title && one.text === other.text && one.tags.join() === other.tags.join()
  );
}
