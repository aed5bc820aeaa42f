/** Shared by reading and writing: rows and tags of notes. */
import type { Kysely, Transaction } from 'kysely';
import type { NoteWords } from '../note';
import type { NoteTables } from '../tables.server';
import { searchTextOf } from './search.server';

export type Db = Kysely<NoteTables> | Transaction<NoteTables>;

/** Tags by note id. The caller has checked that the notes belong to the owner. */
export async function tagsOf(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>();
  if (ids.length === 0) return tags;
  const rows = await db
    .selectFrom('note_tag')
    .select(['note_id', 'tag'])
    .where('note_id', 'in', ids)
    .execute();
  for (const { note_id, tag } of rows) tags.set(note_id, [...(tags.get(note_id) ?? []), tag]);
  // In the order that a form's tags have: each database has its own.
  for (const some of tags.values()) some.sort();
  return tags;
}

export function rowOf(
  owner: string,
  id: string,
  words: NoteWords,
  { pinned, createdAt, updatedAt }: { pinned: boolean; createdAt: Date; updatedAt: Date },
) {
  return {
    id,
    account_id: owner,
    title: words.title,
    text: words.text,
    search_text: searchTextOf(words),
    pinned,
    version: 1,
    created_at: createdAt,
    updated_at: updatedAt,
    deleted_at: null,
  };
}

export interface Tagged {
  id: string;
  words: Pick<NoteWords, 'tags'>;
  pinned: boolean;
  updatedAt: Date;
}

/**
 * Inserts tags for new notes. Each row repeats the note's sort key, so that listing by tag can use
 * an index.
 */
export async function insertTags(db: Db, owner: string, notes: readonly Tagged[]): Promise<void> {
  const tags = notes.flatMap(({ id, words, pinned, updatedAt }) =>
    words.tags.map((tag) => ({
      note_id: id,
      account_id: owner,
      tag,
      pinned,
      updated_at: updatedAt,
    })),
  );
  if (tags.length > 0) await db.insertInto('note_tag').values(tags).execute();
}
