/** Lists an owner's notes by page, tag and words, and their tags. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { readFlag, readTimestamp } from '@gatehouse/store';
import { store } from '~/store.server';
import type { NoteSummary } from '../note';
import type { NoteTables } from '../tables.server';
import { writeCursor, type Cursor } from './cursor.server';
import { tagsOf } from './rows.server';
import { hasPhrases, phrasesOfQuery } from './search.server';

export const pageSize = 20;

export interface NoteList {
  notes: NoteSummary[];
  /** False for a query without anything to search for. */
  isSearched: boolean;
  /** Null on the last page. */
  nextCursor: string | null;
}

export interface ListedBy {
  query: string;
  tag: string;
  cursor: Cursor | null;
  /** Ends a search whose result nobody waits for. */
  signal?: AbortSignal;
}

/** Pinned notes first, then by last change. */
export async function listNotes(
  owner: string,
  { query, tag, cursor, signal }: ListedBy,
): Promise<NoteList> {
  const phrases = phrasesOfQuery(query);
  const part = { ...rowsWith(tag), after: cursor };
  const rows =
    phrases.length === 0
      ? await listed(owner, part, pageSize + 1)
      : await searched(owner, { ...part, phrases }, signal);
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
    isSearched: phrases.length > 0,
    nextCursor: last ? writeCursor(last) : null,
  };
}

/** Notes that are read at once, and for how many milliseconds: a file store blocks the process meanwhile. */
const strides = { least: 10, first: 100, most: 1_000, milliseconds: 10 };

/** Reads the list until a page is full. See `search.server.ts`. */
async function searched(owner: string, part: Part, signal?: AbortSignal) {
  const rows = [];
  let stride = strides.first;
  for (let { after } = part; ;) {
    const start = performance.now();
    const upTo = await lastOf(owner, { ...part, after }, stride);
    rows.push(...(await listed(owner, { ...part, after, upTo }, stride)));
    if (!upTo || rows.length > pageSize || signal?.aborted) return rows;
    after = upTo;
    // Notes differ in length.
    const fitting = (stride * strides.milliseconds) / (performance.now() - start);
    stride = Math.round(Math.min(Math.max(fitting, strides.least), strides.most));
    await yieldToEventLoop();
  }
}

interface Part {
  from: RawBuilder<unknown>;
  /** The table whose columns define the order, so that its index can be used. */
  table: 'note' | 'note_tag';
  conditions: readonly RawBuilder<SqlBool>[];
  /** Bounds of the part: exclusive start, inclusive end. Null means the list's beginning or end. */
  after: Cursor | null;
  upTo?: Cursor | null;
  /** Read each row of the part to find those with these phrases. */
  phrases?: readonly string[];
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

/** The first notes of a part, one more than a page holds, among the first `most` of it. */
async function listed(
  owner: string,
  part: Part,
  most: number,
): Promise<(Omit<ListedRow, 'updated_at'> & Cursor)[]> {
  const { phrases = [] } = part;
  // The phrases are looked for outside the part: PostgreSQL would otherwise expect so few matches
  // that it reads the whole table.
  const { rows } = await sql<ListedRow>`
    select id, title, pinned, updated_at, substr(text, 1, 300) as text
    from (${rowsOf(owner, part, sql`, note.title, note.text, note.search_text`)}
      limit ${most}) as note
    ${phrases.length > 0 ? sql`where ${hasPhrases(phrases)}` : sql``}
    order by ${descending(placeIn('note'))}
    limit ${pageSize + 1}`.execute(store());
  return rows.map(({ updated_at, ...note }) => ({ ...note, ...cursorOf({ ...note, updated_at }) }));
}

/** The sort key of a part's row of this number. Null beyond its end. */
async function lastOf(owner: string, part: Part, number: number): Promise<Cursor | null> {
  const { rows } = await sql<ListedRow>`
    ${rowsOf(owner, part)} limit 1 offset ${number - 1}`.execute(store());
  return rows[0] ? cursorOf(rows[0]) : null;
}

function rowsOf(
  owner: string,
  { from, table, conditions, after, upTo }: Part,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const place = placeIn(table);
  const all = [
    sql`${sql.ref(`${table}.account_id`)} = ${owner}`,
    sql`note.deleted_at is null`,
    ...conditions,
    ...(after ? [sql`${tuple(place)} < ${tuple(valuesOf(after))}`] : []),
    ...(upTo ? [sql`${tuple(place)} >= ${tuple(valuesOf(upTo))}`] : []),
  ];
  return sql`
    select note.id, note.pinned, note.updated_at${more}
    from ${from}
    where ${sql.join(all, sql` and `)}
    order by ${descending(place)}`;
}

function cursorOf({ id, pinned, updated_at }: Pick<ListedRow, 'id' | 'pinned' | 'updated_at'>) {
  return { id, pinned: readFlag(pinned), updatedAt: readTimestamp(updated_at) };
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
