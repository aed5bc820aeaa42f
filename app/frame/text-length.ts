/**
 * How the site counts the characters of a text, on the server and in the browser: as code points of
 * its composed form (NFC). JavaScript's `length` and `slice` and HTML's `maxlength` count UTF-16
 * units, of which most emoji have two; and without composing, `é` is one character or two,
 * depending on the keyboard. The text itself stays as it was typed.
 *
 *     z.string().check(atLeast(1, 'Enter a name.'), atMost(80))
 *     <input maxLength={inputLength(80)} />
 */
import type { z } from 'zod';

export function lengthOf(text: string): number {
  return Array.from(text.normalize('NFC')).length;
}

/** The beginning of a text, at most `max` characters. */
export function truncate(text: string, max: number): string {
  // Three is the most that composing makes of one unit.
  if (text.length * 3 <= max || lengthOf(text) <= max) return text;
  return Array.from(text.normalize('NFC')).slice(0, max).join('');
}

/**
 * The `maxlength` of an input for at most `max` characters. A character has up to six UTF-16 units
 * before it is composed, so a text within the limit always fits. A text that the browser cuts off is
 * still over the limit, so the server refuses it instead of storing less than was pasted.
 */
export function inputLength(max: number): number {
  return max * 6 + 1;
}

/** A check for zod's `.check()`. */
export function atMost(max: number, error = `Use at most ${max} characters.`): Check {
  return checked((text) => lengthOf(text) <= max, error);
}

/** A check for zod's `.check()`. */
export function atLeast(min: number, error = `Use at least ${min} characters.`): Check {
  return checked((text) => lengthOf(text) >= min, error);
}

type Check = (payload: z.core.ParsePayload<string>) => void;

function checked(fits: (text: string) => boolean, message: string): Check {
  return ({ value, issues }) => {
    if (!fits(value)) issues.push({ code: 'custom', message, input: value, continue: true });
  };
}
