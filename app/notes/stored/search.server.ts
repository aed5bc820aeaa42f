/**
 * Search in an owner's notes, the same on both databases: `search_text` holds the words of a note as
 * they are compared, and `list.server.ts` walks the list of notes and compares them. There is no
 * full-text index: each database has its own, maintained by triggers, and none of them knows the
 * words of Khmer, Lao or Burmese. The price is a time that grows with the number of an owner's
 * notes; `npm run bench` has figures.
 *
 * - A word is found by its beginning, as in `meist` for `Meister`.
 * - Scripts without spaces between words are searched for any part of a text. Dividing them into
 *   words by a dictionary (`Intl.Segmenter`) would depend on the neighbouring words and on the
 *   version of ICU, so that the words of a query would not always be those of the note.
 * - Case and accents are ignored, as in most search engines.
 */
import anyAscii from 'any-ascii';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { NoteWords } from '../note';

/** What is searched: each word is preceded by a space. A change needs a migration that computes it again. */
export function searchTextOf({ title, text, tags }: NoteWords): string {
  return phrasesIn([title, ...tags, text].join('\n'))
    .map((phrase) => ` ${phrase}`)
    .join('');
}

/** The parts of a query that a note must contain; empty if there is nothing to search for. */
export function phrasesOfQuery(query: string): string[] {
  const phrases = phrasesIn(query);
  return [...new Set(phrases)].map((phrase) =>
    startsAnywhere.test(phrase) ? phrase : ` ${phrase}`,
  );
}

/** Phrases contain only letters, digits, symbols and spaces, so no LIKE wildcards. */
export function hasPhrases(phrases: readonly string[]): RawBuilder<SqlBool> {
  const each = phrases.map((phrase) => sql`note.search_text like ${`%${phrase}%`}`);
  return sql`(${sql.join(each, sql` and `)})`;
}

/** Words that are written together, such as `iPhone用`: `IPHONE 用`. */
function phrasesIn(text: string): string[] {
  return Array.from(folded(text).matchAll(writtenTogether), ([phrase]) =>
    phrase.match(word)?.join(' '),
  ).filter((phrase) => phrase !== undefined);
}

function folded(text: string): string {
  return text
    .replaceAll(manyMarks, '$1')
    .normalize('NFKD')
    .replaceAll(ignored, '')
    .replaceAll(accents, '')
    .replaceAll(otherLatin, anyAscii)
    .toUpperCase() // Not lower case, in which Greek has two forms of sigma.
    .normalize('NFC');
}

/** More than real text has. Normalising takes a time that grows with the square of their number. */
const manyMarks = /(\p{Mark}{30})\p{Mark}+/gu;

/** Invisible characters, the skin tones of emoji, the Arabic tatweel, and letters such as the Hawaiian okina. */
const ignored = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640\u02b0-\u02ff]/gu;

/** In other scripts, marks are vowels, tones or, in Japanese, consonants. */
const accents =
  /(?<=[\d\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}])\p{Mark}+/gu;

/** Latin letters that Unicode does not decompose: `ł`, `ø`, `ß`, `æ`, `đ`, `ı`, `œ`. */
const otherLatin = /(?=[^a-z])\p{Script=Latin}/giu;

/** Scripts that are written without spaces between words. */
const unspaced = [
  'Han Hiragana Katakana Bopomofo Yi Tangut Nushu',
  'Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Balinese Javanese',
]
  .join(' ')
  .split(' ')
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

const letter = String.raw`\p{Letter}\p{Mark}\p{Number}`;
const symbol = String.raw`\p{Other_Symbol}\p{Currency_Symbol}\p{Extended_Pictographic}`;

const writtenTogether = new RegExp(`[${letter}${symbol}]+`, 'gu');

/** A flag is two symbols. */
const word = new RegExp(
  String.raw`(?:(?![^${letter}])[${unspaced}])+|(?:(?![${unspaced}])[${letter}])+|\p{Regional_Indicator}{2}|[${symbol}]`,
  'gu',
);

const startsAnywhere = new RegExp(`^[${unspaced}]`, 'u');
