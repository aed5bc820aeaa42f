/**
 * Whether a text has anything to see, on the server and in the browser. Invisible characters come
 * from keyboards and with the clipboard: a text of nothing else looks empty.
 *
 *     z.string().check(notBlank('Enter a name.'), atMost(80))
 */
import { checked, type Check } from './text-length.ts';

/** Characters that are not drawn, besides white space and controls. */
export const unseen = String.raw`\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb`;

/** Signs that are blank: of Khitan, Braille, hieroglyphs and music. */
const blankSigns = String.raw`\u{16fe4}\u2800\u{13430}-\u{13442}\u{1d159}`;

const seen = new RegExp(String.raw`[^${blankSigns}${unseen}\s\p{Cc}]`, 'u');

export function isBlank(text: string): boolean {
  return !seen.test(text);
}

/** A check for zod's `.check()`. */
export function notBlank(error: string): Check {
  return checked((text) => !isBlank(text), error);
}
