/**
 * Full-text search by word prefix, ignoring case and accents, in an owner's notes. `search_text`
 * holds the words of a note, each prefixed with a key of its owner: in the index, owners' words are
 * separate, so one owner's frequent words do not slow down another's searches.
 *
 * A frequent word is quickly found by scanning from the newest note, whereas an index would collect
 * every match before the newest are known. A rare word needs the index: FTS5 in a file, GIN on
 * PostgreSQL. So `list.server.ts` first scans part of the list and then queries the index for the
 * rest. `npm run bench` has figures.
 */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoreKind } from '~/store/columns.server';
import type { NoteWords } from '../note';

/** Words of a query that are used. */
const mostWords = 8;

/** Characters of a word that are used. PostgreSQL limits the size of an index entry. */
const longestWord = 40;

/** The indexed text: each distinct word once, preceded by a space. */
export function searchTextOf(owner: string, { title, text, tags }: NoteWords): string {
  const key = keyOf(owner);
  const words = new Set(wordsIn([title, ...tags, text].join('\n')));
  return [...words].map((word) => ` ${key}${word}`).join('');
}

/** The words of a query; empty if it contains no letters or digits. */
export function wordsOfQuery(owner: string, query: string): string[] {
  const key = keyOf(owner);
  return wordsIn(query)
    .slice(0, mostWords)
    .map((word) => key + word);
}

/** The condition for scanning. Words contain only letters and digits, so no LIKE wildcards. */
export function hasWords(words: readonly string[]): RawBuilder<SqlBool> {
  const each = words.map((word) => sql`note.search_text like ${`% ${word}%`}`);
  return sql`(${sql.join(each, sql` and `)})`;
}

/** The `from` and conditions for the index. */
export function foundByIndex(
  kind: StoreKind,
  words: readonly string[],
): { from: RawBuilder<unknown>; conditions: RawBuilder<SqlBool>[] } {
  if (kind === 'sqlite') {
    const match = words.map((word) => `"${word}"*`).join(' AND ');
    // SQLite never reorders a cross join: matches first, then their notes.
    return {
      from: sql`note_search cross join note`,
      conditions: [sql`note.search_id = note_search.rowid`, sql`note_search match ${match}`],
    };
  }
  const match = words.map((word) => `'${word}':*`).join(' & ');
  // `offset 0` is an optimisation barrier: otherwise PostgreSQL may scan all of the account's notes
  // instead.
  return {
    from: sql`(select * from note where search_vector @@ ${match}::tsquery offset 0) as note`,
    conditions: [],
  };
}

function keyOf(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 8);
}

/** Case and accents are dropped, as in most search engines: `ubung` finds `Übung`. */
function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
  return Array.from(plain.matchAll(word), ([one]) => one.slice(0, longestWord));
}

/** In scripts without spaces between words, each character counts as a word. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{Letter}\p{Number}])+/gu;
