/**
 * How the site counts the characters of a text, on the server and in the browser: as code points of
 * its composed form (NFC). JavaScript's `length` and `slice` and HTML's `maxlength` count UTF-16
 * units, of which most emoji have two; and without composing, `é` is one character or two,
 * depending on the keyboard. The text itself stays as it was typed.
 *
 *     z.string().check(atLeast(10), atMost(128))
 *     <input maxLength={inputLength(128)} />
 */
import type { z } from 'zod';

export function lengthOf(text: string): number {
  return Array.from(composed(text)).length;
}

/**
 * A text in its composed form. Composing takes a time that grows with the square of the length of a run of marks. Real text has at
 * most 30 in a row (UAX #15, Stream-Safe Text Format).
 */
export function composed(text: string): string {
  return /\p{Mark}{31}/u.test(text) ? text : text.normalize('NFC');
}

/** The beginning of a text, at most `max` characters. */
export function truncate(text: string, max: number): string {
  // Three is the most that composing makes of one unit.
  if (text.length * 3 <= max || fits(text, max)) return text;
  const beginning = text.slice(0, mostUnits * (max + 1));
  return Array.from(composed(beginning)).slice(0, max).join('');
}

/** The most UTF-16 units of a character before it is composed. */
const mostUnits = 6;

/** The most bytes of a character in a form: three code points of four bytes, percent-encoded. */
export const formBytes = 36;

/**
 * The `maxlength` of an input for at most `max` characters, so that a text within the limit always
 * fits. A text that the browser cuts off is still over the limit, so the server refuses it instead
 * of storing less than was pasted.
 */
export function inputLength(max: number): number {
  return max * mostUnits + 1;
}

/** Without composing a text that is far too long. */
function fits(text: string, max: number): boolean {
  return text.length <= max * mostUnits && lengthOf(text) <= max;
}

/** A check for zod's `.check()`. */
export function atMost(max: number, error = `Use at most ${max} characters.`): Check {
  return checked((text) => fits(text, max), error);
}

/** A check for zod's `.check()`. */
export function atLeast(min: number, error = `Use at least ${min} characters.`): Check {
  return checked((text) => lengthOf(text) >= min, error);
}

export type Check = (payload: z.core.ParsePayload<string>) => void;

export function checked(isFine: (text: string) => boolean, message: string): Check {
  return ({ value, issues }) => {
    if (!isFine(value)) issues.push({ code: 'custom', message, input: value, continue: true });
  };
}
