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
 * - Case and accents are ignored, as in most search engines, and so is which of the same letter's
 *   forms or of the apostrophes was typed.
 * - Symbols are words. Other punctuation separates words.
 */
import anyAscii from 'any-ascii';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { NoteWords } from '../note';

/** What is searched: each word is preceded by a space. A change needs a migration that computes it again. */
export function searchTextOf({ title, text, tags }: NoteWords): string {
  const words = folded([title, ...tags, text].join('\n'));
  // Also the parts of words with an apostrophe: in `l’homme`, `homme` is a word.
  const parts = Array.from(words.matchAll(withApostrophes), ([word]) => word.replaceAll("'", ' '));
  return phrasesIn([words, ...parts].join('\n'))
    .map((phrase) => ` ${phrase}`)
    .join('');
}

/** The parts of a query that a note must contain; empty if there is nothing to search for. */
export function phrasesOfQuery(query: string): string[] {
  const phrases = phrasesIn(folded(query));
  return [...new Set(phrases)].map((phrase) =>
    startsAnywhere.test(phrase) ? phrase : ` ${phrase}`,
  );
}

/** Phrases contain only letters, digits, symbols and spaces: of the wildcards of LIKE only `%`, and no `!`. */
export function hasPhrases(phrases: readonly string[]): RawBuilder<SqlBool> {
  const each = phrases.map((phrase) => {
    const pattern = `%${phrase.replaceAll('%', '!%')}%`;
    return sql`note.search_text like ${pattern} escape '!'`;
  });
  return sql`(${sql.join(each, sql` and `)})`;
}

/** Words that are written together, such as `iPhone用`: `IPHONE 用`. */
function phrasesIn(text: string): string[] {
  return Array.from(text.replaceAll("'", '').matchAll(writtenTogether), ([phrase]) =>
    phrase.match(word)?.join(' '),
  ).filter((phrase) => phrase !== undefined);
}

function folded(text: string): string {
  return text
    .replaceAll(manyMarks, '$1')
    .replaceAll(apostrophes, "'")
    .normalize('NFKD')
    .replaceAll(ignored, '')
    .replaceAll(accents, '')
    .replaceAll(otherLatin, anyAscii)
    .replaceAll(otherForms, (form) => letterOf.get(form) ?? '')
    .toUpperCase() // Not lower case, in which Greek has two forms of sigma.
    .replaceAll('ԵՒ', 'ԵՎ') // Of the ligature `և`, by the two orthographies.
    .normalize('NFC');
}

/** More than real text has. Normalising takes a time that grows with the square of their number. */
const manyMarks = /(\p{Mark}{30})\p{Mark}+/gu;

/** Invisible characters, the skin tones of emoji, the Arabic tatweel and high hamza, and letters such as the Hawaiian okina. */
const ignored = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640\u0674\u02b0-\u02ff]/gu;

/** In other scripts, marks are vowels, tones or, in Japanese, consonants. */
const accents =
  /(?<=[\d\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}])\p{Mark}+/gu;

/** Latin letters that Unicode does not decompose: `ł`, `ø`, `ß`, `æ`, `đ`, `ı`, `œ`. And all digits. */
const otherLatin = /(?=[^a-z0-9])[\p{Script=Latin}\p{Decimal_Number}]/giu;

/** Forms of a letter that Unicode does not decompose, of Arabic and of consonants without a vowel. */
const letterOf = new Map(
  Object.entries({
    ...{ ا: 'ٱٲٳ', ي: 'ىی', ك: 'ک', ه: 'ةہە' },
    ...{ ണ്: 'ൺ', ന്: 'ൻ', ര്: 'ർ', ല്: 'ൽ', ള്: 'ൾ', ക്: 'ൿ', മ്: 'ൔ', യ്: 'ൕ', ഴ്: 'ൖ' },
    ...{ ত্: 'ৎ', న్: 'ౝ', ನ್: 'ೝ' },
  }).flatMap(([letter, forms]) => Array.from(forms, (form) => [form, letter] as const)),
);

/** And a second virama, after the Malayalam `ൻ`. */
const otherForms = new RegExp(`[${[...letterOf.keys()].join('')}]|(?<=[\u0d4dൻ])\u0d4d`, 'gu');

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
const symbol = String.raw`\p{Symbol}\p{Extended_Pictographic}#%&*@§¶†‡‰‱※`;

/** Within words, also the Catalan middle dot. */
const apostrophes = new RegExp(
  String.raw`(?<=[${letter}])['’‘‛\u0060´′＇՚׳ꞌꞋ·‧](?=[${letter}])`,
  'gu',
);

const withApostrophes = new RegExp(`(?<!['${letter}])[${letter}]+(?:'[${letter}]+)+`, 'gu');

const writtenTogether = new RegExp(`[${letter}${symbol}]+`, 'gu');

/** A flag is two symbols. */
const word = new RegExp(
  String.raw`(?:(?![^${letter}])[${unspaced}])+|(?:(?![${unspaced}])[${letter}])+|\p{Regional_Indicator}{2}|[${symbol}]`,
  'gu',
);

const startsAnywhere = new RegExp(`^[${unspaced}]`, 'u');
