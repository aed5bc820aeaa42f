/** Parses JSON of limited depth. */
import { isUtf8 } from 'node:buffer';
import { faults, maxDepth } from './incoming.ts';

type Parsed =
  | { readonly value: unknown }
  | { readonly fault: (typeof faults)['notUtf8' | 'notJson' | 'tooDeep'] };

/** Undefined if the bytes are not UTF-8: decoding would replace characters, of an id for example. */
export function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** @param text Undefined if it was not UTF-8 ({@link textOf}). May begin with a byte order mark, which parsers may ignore (RFC 8259, section 8.1). */
export function parseJson(text: string | undefined): Parsed {
  if (text === undefined) return { fault: faults.notUtf8 };
  if (isTooDeep(text)) return { fault: faults.tooDeep };
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, '')) as unknown };
  } catch {
    return { fault: faults.notJson };
  }
}

/** Counts brackets outside strings. Most messages are too short to be nested that deeply, and are not scanned. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      index = endOfString(text, index);
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return false;
}

/** Returns the index of the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
