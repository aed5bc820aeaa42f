/**
 * Removes the invisible characters of a text, by which two texts that look the same would differ.
 * Those that change how their neighbours look are kept: joiners within words and emoji, and
 * variation selectors.
 */
import { unseen } from '../blank-text.ts';

export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, '$1');
}

/** Scripts whose letters a joiner does not change. */
const unjoined =
  'Common Inherited Latin Greek Cyrillic Armenian Georgian Hebrew Ethiopic Han Hiragana Katakana Bopomofo Hangul Thai Lao'
    .split(' ')
    .map((script) => String.raw`\p{Script=${script}}`)
    .join('');

const joinable = String.raw`(?![${unjoined}])\p{Letter}`;
const mark = String.raw`(?:(?![${unseen}])\p{Mark})`;

/** In `می‌خواهم`, before a virama or after it, and at the end of a word, in Arabic. */
const joiners = [
  String.raw`(?<=${joinable}${mark}{0,9})\u200c(?=\u200c*(?:${joinable}|${mark}))`,
  String.raw`(?<=${joinable}${mark}{1,9})\u200d`,
  String.raw`(?<=${joinable})\u200d(?![${unseen}\p{Cc}]*\p{Letter})`,
];

const emoji = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0e`,
  String.raw`(?<=(?!\p{Emoji_Presentation})\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  // Flags of regions, such as Scotland.
  String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`,
];

/** Variants of Chinese characters, which some names are written with, and of Mongolian letters. */
const variants = [
  String.raw`(?<=(?=\p{Script=Han})\p{Letter})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=(?=\p{Script=Mongolian})\p{Letter})[\u180b-\u180f]`,
];

const invisible = new RegExp(
  String.raw`(${[...joiners, ...emoji, ...variants].join('|')})|[${unseen}]|(?!\s)\p{Cc}`,
  'gu',
);
