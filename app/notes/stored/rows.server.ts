/** What reading and writing notes have in common: their rows, and the tags of each. */
import type { Kysely, Transaction } from 'kysely';
import type { NoteWords } from '../note';
import type { NoteTables } from '../tables.server';
import { searchTextOf } from './search.server';

export type Db = Kysely<NoteTables> | Transaction<NoteTables>;

/** By the note's id. The ids are of notes whose owner was asked for. */
export async function tagsOf(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>();
  if (ids.length === 0) return tags;
  const rows = await db
    .selectFrom('note_tag')
    .select(['note_id', 'tag'])
    .where('note_id', 'in', ids)
    .orderBy('tag')
    .execute();
  for (const { note_id, tag } of rows) tags.set(note_id, [...(tags.get(note_id) ?? []), tag]);
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
    search_text: searchTextOf(owner, words),
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

/** For notes that have none yet. Each row has its note's place in the list, so that those of a tag are listed as fast. */
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
