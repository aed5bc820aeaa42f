/** URI templates of level 1 (RFC 6570), used for matching: extracts the value of each `{name}` from a URI. */
import { isLongerThan } from '../result/text-length.ts';

export interface UriTemplate {
  readonly variables: readonly string[];
  /** Returns the variables, decoded once. Undefined if the URI does not match, or is unsafe. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

const longestUri = 2_048;

/**
 * Compiles a template such as `file://documents/{name}`, in which a variable matches one path segment.
 *
 * @throws TypeError if the template is not of level 1, or if two variables have no literal between them.
 */
export function compileUriTemplate(template: string): UriTemplate {
  // `split` with a capturing group: literals at even indexes, names at odd ones.
  const parts = template.split(/\{(\w+)\}/);
  const variables = parts.filter((_, index) => index % 2 === 1);
  const literals = parts.filter((_, index) => index % 2 === 0);
  const isPlain = literals.every((literal) => !/[{}]/.test(literal));
  const isClear = literals.slice(1, -1).every((literal) => literal !== '');
  if (!isPlain || !isClear || new Set(variables).size !== variables.length) {
    throw new TypeError(`${template} is no URI template of level 1 with each variable once`);
  }
  return {
    variables,
    match(uri) {
      const segments = isLongerThan(uri, longestUri) ? undefined : between(uri, literals);
      const values = segments?.map(decoded);
      if (values === undefined || values.includes(undefined)) return undefined;
      return Object.fromEntries(variables.map((name, index) => [name, values[index] ?? '']));
    },
  };
}

/**
 * Returns the text between the literals, each matched at its first occurrence. Unlike a regular expression it never
 * backtracks, so that the time is linear in the length of the URI.
 */
function between(uri: string, [first = '', ...rest]: readonly string[]): string[] | undefined {
  if (!uri.startsWith(first)) return undefined;
  const found: string[] = [];
  let at = first.length;
  for (const [index, literal] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const end = isLast ? uri.length - literal.length : uri.indexOf(literal, at + 1);
    if (end <= at || !uri.startsWith(literal, end)) return undefined;
    found.push(uri.slice(at, end));
    at = end + literal.length;
  }
  return at === uri.length ? found : undefined;
}

/** Accepts a value that is still a single segment once decoded: no `/`, no control character, not `..`. */
function decoded(encoded: string): string | undefined {
  if (/[/?#]/.test(encoded)) return undefined;
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  return /[/\\\p{Cc}\p{Cs}]/u.test(text) || /^\.{1,2}$/.test(text.trim()) ? undefined : text;
}
