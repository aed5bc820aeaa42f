/** Bulk operations: adding imported notes, and iterating over all notes for an export. */
import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { newId, readFlag, readTimestamp, storeKind } from '@gatehouse/store';
import { store } from '~/store.server';
import type { NoteWords } from '../note';
import type { ImportedNote } from '../schemas.server';
import type { NoteTables } from '../tables.server';
import { insertTags, rowOf, tagsOf, type Db } from './rows.server';

/** Rows per insert statement, which has some ten parameters for each. */
const atOnce = 100;

export interface Added {
  added: number;
  /** Notes that were not added, because the owner has them. */
  known: number;
}

/** Adds all of the notes that the owner does not have yet, or none. */
export async function addNotes(owner: string, notes: readonly ImportedNote[]): Promise<Added> {
  return store<NoteTables>()
    .transaction()
    .execute(async (db) => {
      const unknown = await unknownNotes(db, owner, notes);
      for (let from = 0; from < unknown.length; from += atOnce) {
        const some = unknown.slice(from, from + atOnce);
        await db
          .insertInto('note')
          .values(some.map(({ id, words, ...rest }) => rowOf(owner, id, words, rest)))
          .execute();
        await insertTags(db, owner, some);
        // A file store answers without waiting for anything, so that no other request would run.
        await yieldToEventLoop();
      }
      return { added: unknown.length, known: notes.length - unknown.length };
    });
}

/**
 * Leaves out what the owner already has, so that a file can be imported again. A note is recognised
 * by its words, and by when it was created if the file says so: an id in a file would have to be
 * trusted, and could not tell a note that was edited since from one that is the same. Deleted notes
 * do not count, since an import is how they come back.
 */
async function unknownNotes(
  db: Transaction<NoteTables>,
  owner: string,
  notes: readonly ImportedNote[],
) {
  // A file store has one writer. In PostgreSQL, another import of the same file waits here.
  if (storeKind(db) === 'postgres')
    await sql`select 1 from account where id = ${owner} for no key update`.execute(db);
  const known = new Set<string>();
  const add = (words: NoteWords, createdAt: Date) => {
    known.add(marksOf(words)).add(marksOf(words, createdAt));
  };
  const titles = [...new Set(notes.map(({ title }) => title))];
  for await (const { createdAt, ...words } of everyNote(owner, { db, titles }))
    add(words, new Date(createdAt));

  const now = new Date();
  const unknown = [];
  for (const words of notes) {
    const updatedAt = words.updatedAt === undefined ? now : new Date(words.updatedAt);
    const createdAt = words.createdAt === undefined ? updatedAt : new Date(words.createdAt);
    if (known.has(marksOf(words, createdAt === now ? undefined : createdAt))) continue;
    add(words, createdAt);
    unknown.push({ id: newId(), words, pinned: words.pinned, createdAt, updatedAt });
  }
  return unknown;
}

function marksOf({ title, text, tags }: NoteWords, createdAt?: Date): string {
  const marks = JSON.stringify([title, text, tags.toSorted(), createdAt?.getTime()]);
  return createHash('sha256').update(marks).digest('base64');
}

/**
 * Iterates over an owner's notes in batches, without loading all of them.
 *
 * @param titles leaves out notes with other titles.
 */
export async function* everyNote(
  owner: string,
  { db = store<NoteTables>(), titles }: { db?: Db; titles?: readonly string[] } = {},
): AsyncGenerator<NoteWords & { pinned: boolean; createdAt: string; updatedAt: string }> {
  let after = '';
  for (;;) {
    const rows = await db
      .selectFrom('note')
      .select(['id', 'title', 'text', 'pinned', 'created_at', 'updated_at'])
      .where('account_id', '=', owner)
      .where('deleted_at', 'is', null)
      .where('id', '>', after)
      .$if(titles !== undefined, (query) => query.where('title', 'in', titles ?? []))
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
    await yieldToEventLoop();
  }
}
