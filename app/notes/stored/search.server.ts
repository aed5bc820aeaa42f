/**
 * Full-text search: of an owner's notes those are found in which each word of the query begins a word, in whatever
 * case and with whatever accents. The words of a note are kept in `search_text`, each with a key of its owner before
 * it, so that an index of them has every owner's words apart: a word that others use often costs nobody else anything.
 *
 * A word of many notes is soon met in a walk from the newest note on, where an index would gather every match before
 * the newest are known. A word of few notes is found by the index alone: FTS5 in a file, a GIN index on PostgreSQL. So
 * `list.server.ts` walks a part of the list first, and asks the index about the rest. `npm run bench` has figures.
 * PostgreSQL uses its index once autovacuum has counted the table, a minute after a large import.
 */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoreKind } from '~/store/columns.server';
import type { NoteWords } from '../note';

/** Words of a query that count. */
const mostWords = 8;

/** Characters of a word that count. An index of PostgreSQL has a limit. */
const longestWord = 40;

/** What a search looks through: a space before each word, and each word once. */
export function searchTextOf(owner: string, { title, text, tags }: NoteWords): string {
  const key = keyOf(owner);
  const words = new Set(wordsIn([title, ...tags, text].join('\n')));
  return [...words].map((word) => ` ${key}${word}`).join('');
}

/** The words of a query that are looked for; none where it has no letter and no digit. */
export function wordsOfQuery(owner: string, query: string): string[] {
  const key = keyOf(owner);
  return wordsIn(query)
    .slice(0, mostWords)
    .map((word) => key + word);
}

/** A condition on a note that is met in a walk through the list. Words are letters and digits: no pattern of LIKE. */
export function hasWords(words: readonly string[]): RawBuilder<SqlBool> {
  const each = words.map((word) => sql`note.search_text like ${`% ${word}%`}`);
  return sql`(${sql.join(each, sql` and `)})`;
}

/** Where notes with these words are found by the index: a `from` and its conditions. */
export function foundByIndex(
  kind: StoreKind,
  words: readonly string[],
): { from: RawBuilder<unknown>; conditions: RawBuilder<SqlBool>[] } {
  if (kind === 'sqlite') {
    const match = words.map((word) => `"${word}"*`).join(' AND ');
    // SQLite keeps the order of a cross join: the matches first, and then their notes.
    return {
      from: sql`note_search cross join note`,
      conditions: [sql`note.search_id = note_search.rowid`, sql`note_search match ${match}`],
    };
  }
  const match = words.map((word) => `'${word}':*`).join(' & ');
  // An offset keeps PostgreSQL from looking among all notes of the account instead.
  return {
    from: sql`(select * from note where search_vector @@ ${match}::tsquery offset 0) as note`,
    conditions: [],
  };
}

function keyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 8);
}

/** Accents and case are dropped, as by most search engines: `Übung` is found by `ubung`. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
  return Array.from(plain.matchAll(word), ([one]) => one.slice(0, longestWord));
}

/** Of scripts that put no space between words, each sign is one. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{Letter}\p{Number}])+/gu;
