/** URI templates of level 1 (RFC 6570), read backwards: what a URI gives for each `{name}`. */

export interface UriTemplate {
  readonly variables: readonly string[];
  /** The variables, decoded once; undefined when the URI is another resource's, or not a safe one. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

const longestUri = 2_048;

/**
 * `file://documents/{name}`: a variable is one segment of a path.
 *
 * @throws TypeError for a template that is not of level 1, or whose variables cannot be told apart.
 */
export function compileUriTemplate(template: string): UriTemplate {
  // Literals stand at the even places, names at the odd ones.
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
      const segments = uri.length > longestUri ? undefined : between(uri, literals);
      const values = segments?.map(decoded);
      if (values === undefined || values.includes(undefined)) return undefined;
      return Object.fromEntries(variables.map((name, index) => [name, values[index] ?? '']));
    },
  };
}

/**
 * What stands between the literals, each time up to the next literal's first place: unlike a regular
 * expression, this never tries again, so that no URI takes long.
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

/** A name that is one segment still when it is decoded: no path, no control character, no `..`. */
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
