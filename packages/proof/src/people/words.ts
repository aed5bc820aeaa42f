/**
 * The words by which the proof recognises whose data a text contains: a person's mark, `zq3qz`, and in what that person
 * types into a site's own rows a mark of its own for each field that is sent, `zq3bkcqz`. So the words of a row that may be
 * seen are not those of one that may not.
 */
import type { SiteRequest } from './site-request.ts';

/** Neither of the letters that begin and end a mark. */
const letters = 'abcdefghijklmnoprstuvwxy';
const length = 3;
const placeholder = letters[0]?.repeat(length) ?? '';

/** Stands for the mark of a field until its form is sent: {@link createFieldMarks} replaces it. */
export function markPlaceholder(mark: string): string {
  return mark.replace(/qz$/, `${placeholder}qz`);
}

/** The marks in a text, whatever their case, with the suffixes of their fields. */
export function wordsIn(text: string): Set<string> {
  return new Set(text.match(/zq\d+(?:[a-pr-y]{3})?qz/gi)?.map((word) => word.toLowerCase()));
}

/** The mark of the person who typed a word. */
export function markOf(word: string): string {
  return word.replace(/^(zq\d+)[a-pr-y]*(qz)$/i, '$1$2');
}

/** The marks of people in a text. */
export function marksIn(text: string): Set<string> {
  return new Set([...wordsIn(text)].map(markOf));
}

/** Replaces one person's marks by another's, with the same suffixes. */
export function relabelled(text: string, from: string, to: string): string {
  const own = new RegExp(from.replace(/qz$/, '([a-pr-y]{3})?qz'), 'gi');
  return text.replaceAll(own, (_, suffix: string | undefined) =>
    to.replace(/qz$/, `${suffix ?? ''}qz`),
  );
}

export interface FieldMarks {
  /** Gives each field a mark of its own, which no request has had. */
  withFreshMarks: <R extends SiteRequest>(request: R) => R;
  /** The same marks for the same body: a site may refuse other words under an idempotency key that it knows. */
  withStableMarks: <R extends SiteRequest>(request: R) => R;
}

export function createFieldMarks(): FieldMarks {
  const counts = new Map<string, number>();
  const known = new Map<string, string>();
  const typed = (text: string) =>
    text.replaceAll(
      new RegExp(`(zq\\d+)${placeholder}(qz)`, 'gi'),
      (word, start: string, end: string) => {
        const count = (counts.get(start.toLowerCase()) ?? 0) + 1;
        counts.set(start.toLowerCase(), count);
        const suffix = suffixOf(count);
        return start + (word === word.toUpperCase() ? suffix.toUpperCase() : suffix) + end;
      },
    );
  const again = (text: string) => {
    const before = known.get(text) ?? typed(text);
    known.set(text, before);
    return before;
  };
  const withBody = <R extends SiteRequest>(request: R, replace: (text: string) => string): R => {
    const { body } = request;
    if (body === undefined) return request;
    if (typeof body === 'string') return { ...request, body: replace(body) };
    // Of the same length, so that the bytes of a file stay where they are.
    return { ...request, body: Buffer.from(replace(body.toString('latin1')), 'latin1') };
  };
  return {
    withFreshMarks: (request) => withBody(request, typed),
    withStableMarks: (request) => withBody(request, again),
  };
}

/** After all suffixes have been given, they begin again. */
function suffixOf(count: number): string {
  const all = letters.length ** length;
  let rest = ((count - 1) % (all - 1)) + 1;
  let suffix = '';
  for (let digit = 0; digit < length; digit += 1) {
    suffix = (letters[rest % letters.length] ?? '') + suffix;
    rest = Math.floor(rest / letters.length);
  }
  return suffix;
}
