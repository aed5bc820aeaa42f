/** Lists an owner's notes by page, tag and words, and their tags. */
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
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface ListedBy {
  query: string;
  tag: string;
  cursor: Cursor | null;
}

/** Pinned notes first, then by last change. */
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

/**
 * Notes to scan before using the search index: a few milliseconds, in which a file store is busy.
 */
const walked = 1_000;

/** Lists notes that contain all of the words. See `search.server.ts`. */
async function searched(
  owner: string,
  words: readonly string[],
  { tag, after }: { tag: string; after: Cursor | null },
) {
  const end = await noteAt(owner, after, walked);
  const rows = await listed(owner, { ...rowsWith(tag), after, upTo: end, words });
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
  /** The table whose columns define the order, so that its index can be used. */
  table: 'note' | 'note_tag';
  conditions: readonly RawBuilder<SqlBool>[];
  /** Bounds of the part: exclusive start, inclusive end. Null means the list's beginning or end. */
  after: Cursor | null;
  upTo?: Cursor | null;
  /** Read each row of the part to find those with these words. */
  words?: readonly string[];
}

/** All notes, or those with a tag. A tag's rows repeat the sort key. */
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

/** The first notes of a part, one more than a page holds. */
async function listed(
  owner: string,
  { from, table, conditions, after, upTo = null, words = [] }: Part,
): Promise<(Omit<ListedRow, 'updated_at'> & { pinned: boolean; updatedAt: Date })[]> {
  const place = placeIn(table);
  const all = [
    sql`${sql.ref(`${table}.account_id`)} = ${owner}`,
    sql`note.deleted_at is null`,
    ...conditions,
    ...(after ? [sql`${tuple(place)} < ${tuple(valuesOf(after))}`] : []),
    ...(upTo ? [sql`${tuple(place)} >= ${tuple(valuesOf(upTo))}`] : []),
  ];
  const part = sql`
    select note.id, note.title, note.pinned, note.updated_at, note.text, note.search_text
    from ${from}
    where ${sql.join(all, sql` and `)}
    order by ${descending(place)}
    limit ${words.length > 0 ? walked : pageSize + 1}`;
  // The words are looked for outside the part: PostgreSQL would otherwise expect so few matches that
  // it reads the whole table.
  const { rows } = await sql<ListedRow>`
    select id, title, pinned, updated_at, substr(text, 1, 300) as text
    from (${part}) as note
    ${words.length > 0 ? sql`where ${hasWords(words)}` : sql``}
    order by ${descending(placeIn('note'))}
    limit ${pageSize + 1}`.execute(store());
  return rows.map(({ pinned, updated_at, ...note }) => ({
    ...note,
    pinned: readFlag(pinned),
    updatedAt: readTimestamp(updated_at),
  }));
}

/** The sort key. */
function placeIn(table: Part['table']) {
  const id = table === 'note' ? 'note.id' : 'note_tag.note_id';
  return [`${table}.pinned`, `${table}.updated_at`, id].map((column) => sql.ref(column));
}

function descending(place: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(place.map((column) => sql`${column} desc`));
}

function valuesOf({ pinned, updatedAt, id }: Cursor): RawBuilder<unknown>[] {
  return [sql`${pinned}`, sql`${updatedAt}`, sql`${id}`];
}

function tuple(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(parts)})`;
}

/** The sort key this many notes further down the list. Null beyond its end. */
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

/** The most frequent tags. */
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
