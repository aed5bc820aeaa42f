/** Bulk operations: adding imported notes, and iterating over all notes for an export. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { newId, readFlag, readTimestamp } from '~/store/columns.server';
import { store } from '~/store/store.server';
import type { NoteWords } from '../note';
import type { ImportedNote } from '../schemas.server';
import type { NoteTables } from '../tables.server';
import { insertTags, rowOf, tagsOf } from './rows.server';

/** Rows per insert statement, which has some ten parameters for each. */
const atOnce = 100;

/** Adds all of the notes or none. */
export async function addNotes(owner: string, notes: readonly ImportedNote[]): Promise<void> {
  const now = new Date();
  await store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      for (let from = 0; from < notes.length; from += atOnce) {
        const some = notes.slice(from, from + atOnce).map((words) => {
          const updatedAt = words.updatedAt === undefined ? now : new Date(words.updatedAt);
          const createdAt = words.createdAt === undefined ? updatedAt : new Date(words.createdAt);
          return { id: newId(), words, pinned: words.pinned, createdAt, updatedAt };
        });
        await db
          .insertInto('note')
          .values(some.map(({ id, words, ...rest }) => rowOf(owner, id, words, rest)))
          .execute();
        await insertTags(db, owner, some);
        // A file store answers without waiting for anything, so that no other request would run.
        await yieldToEventLoop();
      }
    });
}

/** Iterates over an owner's notes in batches, without loading all of them. */
export async function* everyNote(
  owner: string,
): AsyncGenerator<NoteWords & { pinned: boolean; createdAt: string; updatedAt: string }> {
  const db = store<NoteTables>();
  let after = '';
  for (;;) {
    const rows = await db
      .selectFrom('note')
      .select(['id', 'title', 'text', 'pinned', 'created_at', 'updated_at'])
      .where('account_id', '=', owner)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    const tags = await tagsOf(
      db,
      rows.map(({ id }) => id),
    );
    for (const { id, title, text, pinned, created_at, updated_at } of rows) {
      yield {
        title,
        text,
        tags: tags.get(id) ?? [],
        pinned: readFlag(pinned),
        createdAt: readTimestamp(created_at).toISOString(),
        updatedAt: readTimestamp(updated_at).toISOString(),
      };
    }
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = last.id;
  }
}
