import { expect, test } from 'vitest';
import { searchParams, type Query, type QueryStyle } from './query.ts';

const filters: Query = {
  q: 'a&b',
  none: undefined,
  tag: ['x', undefined, 'y z'],
  empty: [],
  filter: { state: 'open', size: { from: 1 } },
  items: [{ id: 1, name: 'a' }, { id: 2 }],
};
const items = 'items[0][id]=1&items[0][name]=a&items[1][id]=2';

test.each<[string, QueryStyle, string]>([
  ['repeats names', {}, `q=a&b&tag=x&tag=y z&filter[state]=open&filter[size][from]=1&${items}`],
  [
    'puts brackets behind a list’s name',
    { lists: 'brackets' },
    `q=a&b&tag[]=x&tag[]=y z&filter[state]=open&filter[size][from]=1&${items}`,
  ],
])('a query with lists and objects %s', (_, style, expected) => {
  const search = searchParams(filters, style);
  expect([...search].map(([name, value]) => `${name}=${value}`).join('&')).toBe(expected);
  // Reserved characters are encoded.
  expect(search.toString()).toContain('q=a%26b&');
});

test('null and undefined are omitted at any depth', () => {
  const query = { a: null, b: { c: null, d: 1 }, e: [null, undefined, 2] };
  const search = searchParams({ ...query, f: [{ g: null, h: 3 }] });
  expect(decodeURIComponent(search.toString())).toBe('b[d]=1&e=2&f[0][h]=3');
  expect(searchParams(query, { lists: 'commas' }).get('e')).toBe('2');
});

test('lists can be joined with commas, and objects flattened with dots', () => {
  const search = searchParams(
    { id: [1, 2, undefined], none: [], sort: { by: 'name' } },
    { lists: 'commas', objects: 'dots' },
  );
  expect([...search]).toEqual([
    ['id', '1,2'],
    ['sort.by', 'name'],
  ]);
});
