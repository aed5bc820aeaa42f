/** Encodes queries and forms in the styles that services use for lists and objects. */

/** Undefined and null are omitted, at any depth. */
export type QueryValue =
  string | number | boolean | null | undefined | readonly QueryValue[] | Query;

export interface Query {
  readonly [name: string]: QueryValue;
}

/** How to encode lists and objects. */
export interface QueryStyle {
  /** `tag=a&tag=b` (the default), `tag[]=a&tag[]=b`, or `tag=a,b`. */
  readonly lists?: 'repeated' | 'brackets' | 'commas';
  /** `filter[state]=open` (the default), or `filter.state=open`. */
  readonly objects?: 'brackets' | 'dots';
}

export function searchOf(query: Query | undefined, style: QueryStyle | undefined): string {
  if (query === undefined) return '';
  const search = searchParams(query, style);
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** Also used for form bodies. */
export function searchParams(values: Query, style: QueryStyle = {}): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) append(search, name, value, style);
  return search;
}

function append(search: URLSearchParams, name: string, value: QueryValue, style: QueryStyle): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'object') search.append(name, String(value));
  else if (isList(value)) appendList(search, name, value, style);
  else {
    for (const [key, part] of Object.entries(value)) {
      append(search, style.objects === 'dots' ? `${name}.${key}` : `${name}[${key}]`, part, style);
    }
  }
}

function appendList(
  search: URLSearchParams,
  name: string,
  list: readonly QueryValue[],
  style: QueryStyle,
): void {
  const items = list.filter((item) => item !== undefined && item !== null);
  if (style.lists === 'commas') {
    if (items.length > 0) search.append(name, items.map(String).join(','));
    return;
  }
  for (const [index, item] of items.entries()) {
    // Indexed: without an index, the fields of two objects would be merged under one name.
    if (typeof item === 'object') append(search, `${name}[${index}]`, item, style);
    else append(search, style.lists === 'brackets' ? `${name}[]` : name, item, style);
  }
}

function isList(value: readonly QueryValue[] | Query): value is readonly QueryValue[] {
  return Array.isArray(value);
}
