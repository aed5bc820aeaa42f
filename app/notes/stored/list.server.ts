/** The list of somebody's notes: its pages, by tag and by words, and the tags that it has. */
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { readFlag, readTimestamp, storeKind } from '~/store/columns.server';
import { store } from '~/store/store.server';
import type { NoteSummary } from '../note';
import type { NoteTables } from '../tables.server';
import { writeCursor, type Cursor } from './cursor.server';
import { tagsOf } from './rows.server';
import { foundByIndex, hasWords, wordsOfQuery } from './search.server';

export const pageSize = 20;

export interface NoteList {
  notes: NoteSummary[];
  /** Null at the end. */
  nextCursor: string | null;
}

export interface ListedBy {
  query: string;
  tag: string;
  cursor: Cursor | null;
}

/** Pinned first, then by the last change. */
export async function listNotes(
  owner: string,
  { query, tag, cursor }: ListedBy,
): Promise<NoteList> {
  const words = wordsOfQuery(owner, query);
  const rows =
    words.length === 0
      ? await listed(owner, { ...rowsWith(tag), after: cursor })
      : await searched(owner, words, { tag, after: cursor });
  const page = rows.slice(0, pageSize);
  const tags = await tagsOf(
    store<NoteTables>(),
    page.map(({ id }) => id),
  );
  const last = rows.length > pageSize ? page.at(-1) : undefined;
  return {
    notes: page.map(({ updatedAt, ...note }) => ({
      ...note,
      tags: tags.get(note.id) ?? [],
      updatedAt: updatedAt.toISOString(),
    })),
    nextCursor: last ? writeCursor(last) : null,
  };
}

/** Notes that a search walks through before it asks the index: a few milliseconds, in which a file store is busy. */
const walked = 1_000;

/** The same of notes that have each of the words. See `search.server.ts`. */
async function searched(
  owner: string,
  words: readonly string[],
  { tag, after }: { tag: string; after: Cursor | null },
) {
  const end = await noteAt(owner, after, walked);
  const near = rowsWith(tag);
  const conditions = [...near.conditions, hasWords(words)];
  const rows = await listed(owner, { ...near, conditions, after, upTo: end });
  if (!end || rows.length > pageSize) return rows;
  const { from, conditions: matches } = foundByIndex(storeKind(store()), words);
  if (tag !== '') {
    matches.push(sql`exists (
      select 1 from note_tag where note_tag.note_id = note.id and note_tag.tag = ${tag})`);
  }
  const far = { from, table: 'note', conditions: matches, after: end } as const;
  return [...rows, ...(await listed(owner, far))];
}

interface Part {
  from: RawBuilder<unknown>;
  /** Whose columns the order of the list is read from, where an index has them in it. */
  table: 'note' | 'note_tag';
  conditions: readonly RawBuilder<SqlBool>[];
  /** The note before the part, and its own last one. Null is the list's beginning, and its end. */
  after: Cursor | null;
  upTo?: Cursor | null;
}

/** All notes, or those with a tag: their rows have the order of the list, too. */
function rowsWith(tag: string): Pick<Part, 'from' | 'table' | 'conditions'> {
  if (tag === '') return { from: sql`note`, table: 'note', conditions: [] };
  return {
    from: sql`note_tag cross join note`,
    table: 'note_tag',
    conditions: [
      sql`note_tag.account_id = note.account_id and note_tag.note_id = note.id and note_tag.tag = ${tag}`,
    ],
  };
}

type ListedRow = Pick<NoteTables['note'], 'id' | 'title' | 'text'> & {
  pinned: boolean | number;
  updated_at: Date | string;
};

/** The first notes of a part of the list, one more than a page has. */
async function listed(
  owner: string,
  { from, table, conditions, after, upTo = null }: Part,
): Promise<(Omit<ListedRow, 'updated_at'> & { pinned: boolean; updatedAt: Date })[]> {
  const place = placeIn(table);
  const all = [
    sql`${sql.ref(`${table}.account_id`)} = ${owner}`,
    sql`note.deleted_at is null`,
    ...conditions,
    ...(after ? [sql`${tuple(place)} < ${tuple(valuesOf(after))}`] : []),
    ...(upTo ? [sql`${tuple(place)} >= ${tuple(valuesOf(upTo))}`] : []),
  ];
  const { rows } = await sql<ListedRow>`
    select note.id, note.title, note.pinned, note.updated_at, substr(note.text, 1, 300) as text
    from ${from}
    where ${sql.join(all, sql` and `)}
    order by ${sql.join(place.map((column) => sql`${column} desc`))}
    limit ${pageSize + 1}`.execute(store());
  return rows.map(({ pinned, updated_at, ...note }) => ({
    ...note,
    pinned: readFlag(pinned),
    updatedAt: readTimestamp(updated_at),
  }));
}

/** By what the list is ordered. */
function placeIn(table: Part['table']) {
  const id = table === 'note' ? 'note.id' : 'note_tag.note_id';
  return [`${table}.pinned`, `${table}.updated_at`, id].map((column) => sql.ref(column));
}

function valuesOf({ pinned, updatedAt, id }: Cursor): RawBuilder<unknown>[] {
  return [sql`${pinned}`, sql`${updatedAt}`, sql`${id}`];
}

function tuple(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(parts)})`;
}

/** Where so many notes further the list is. Null is its end. */
async function noteAt(
  owner: string,
  after: Cursor | null,
  further: number,
): Promise<Cursor | null> {
  const row = await store<NoteTables>()
    .selectFrom('note')
    .select(['id', 'pinned', 'updated_at'])
    .where('account_id', '=', owner)
    .where('deleted_at', 'is', null)
    .$if(after !== null, (notes) =>
      notes.where(sql<SqlBool>`${tuple(placeIn('note'))} < ${tuple(after ? valuesOf(after) : [])}`),
    )
    .orderBy('pinned', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .offset(further - 1)
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { id, pinned, updated_at } = row;
  return { id, pinned: readFlag(pinned), updatedAt: readTimestamp(updated_at) };
}

/** The tags that most notes have. */
export async function listTags(owner: string): Promise<string[]> {
  const rows = await store<NoteTables>()
    .selectFrom('note_tag')
    .select(['tag', (of) => of.fn.countAll<number>().as('notes')])
    .where('account_id', '=', owner)
    .where('note_id', 'not in', (of) =>
      of
        .selectFrom('note')
        .select('id')
        .where('account_id', '=', owner)
        .where('deleted_at', 'is not', null),
    )
    .groupBy('tag')
    .orderBy('notes', 'desc')
    .orderBy('tag')
    .limit(20)
    .execute();
  return rows.map(({ tag }) => tag);
}
