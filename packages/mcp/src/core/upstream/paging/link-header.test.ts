import { expect, test } from 'vitest';
import { nextQuery } from './link-header.ts';

const next = (link?: string) =>
  nextQuery(new Headers(link === undefined ? {} : { link }))?.toString();

test.each([
  [
    '<https://api.test/a?page=2&q=x>; rel="next", <https://api.test/a?page=9>; rel="last"',
    'page=2&q=x',
  ],
  ['<https://api.test/a?page=9>; rel="last", </a?page=2>; rel="next"', 'page=2'],
  ['</a?ids=1,2>; title="a, b; rel=next"; rel="prev next"', 'ids=1%2C2'],
  ['<?cursor=a%3D%3D#x>;rel=next', 'cursor=a%3D%3D'],
  ['</a?page=2>; REL=Next', 'page=2'],
  ['</a>; rel="next"', ''],
  ['</a?page=1>; rel="prev"', undefined],
  ['</a?page=1>; title="rel=next"', undefined],
  ['nonsense', undefined],
  [undefined, undefined],
])('the next page of %j', (link, query) => {
  expect(next(link)).toBe(query);
});

test('a malicious header is parsed in linear time', () => {
  expect(next(`<${'</a>;'.repeat(2_000)} ${'"'.repeat(9_999)}`)).toBeUndefined();
});
