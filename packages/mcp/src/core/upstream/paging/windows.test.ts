import { expect, test } from 'vitest';
import { pageOf } from '../../result/pagination.ts';
import { fromCursor, fromPages, type RequestedWindow, type Window } from './windows.ts';

const all = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A service with numbered pages and so many items. */
function numbered(count: number, reported: { total?: boolean; isLast?: boolean } = {}) {
  const requested: string[] = [];
  const read = (page: number, size: number) => {
    requested.push(`${page}×${size}`);
    const items = all(count).slice((page - 1) * size, page * size);
    return Promise.resolve({
      items,
      ...(reported.total && { total: count }),
      ...(reported.isLast && { isLast: page * size >= count }),
    });
  };
  return { requested, read };
}

/** A service with cursors and three items on each page, with or without an empty last page. */
function cursored(count: number, reported: { total?: boolean; emptyEnd?: boolean } = {}) {
  const requested: (string | undefined)[] = [];
  const read = (cursor: string | undefined) => {
    requested.push(cursor);
    const from = Number(cursor ?? 0);
    const isMore = reported.emptyEnd ? from + 3 <= count : from + 3 < count;
    return Promise.resolve({
      items: all(count).slice(from, from + 3),
      ...(reported.total && { total: count }),
      next: isMore ? String(from + 3) : null,
    });
  };
  return { requested, read };
}

const windows: RequestedWindow[] = [0, 1, 5, 6, 7, 11, 12, 13, 40].flatMap((offset) =>
  [1, 3, 5, 6, 20].map((limit) => ({ limit, offset })),
);
const counts = [0, 1, 5, 6, 7, 12, 13];

/** Checks that the window is correct, whatever the service reports. */
function expectTruth(
  count: number,
  { limit, offset }: RequestedWindow,
  found: Window<number>,
): void {
  expect(found.items).toEqual(all(count).slice(offset, offset + limit));
  if (found.isTotalKnown) expect(found.total).toBe(count);
  else expect(found.total).toBeLessThanOrEqual(count);
  const page = pageOf({ total: found.total, count: found.items.length, offset });
  expect(page.has_more).toBe(offset + found.items.length < count);
  // A total of zero is reported only if there are no items.
  if (found.total === 0) expect(count).toBe(0);
}

test.each<[string, { total?: boolean; isLast?: boolean }]>([
  ['a total', { total: true }],
  ['which page is the last', { isLast: true }],
  ['nothing', {}],
])(
  'numbered pages support any limit and offset without inventing a total: the service reports %s [M15]',
  async (_, reported) => {
    for (const count of counts) {
      for (const requested of windows) {
        for (const pages of [{ size: 6 }, { size: 6, isFixed: true }, { size: 100 }]) {
          const { read, requested: requests } = numbered(count, reported);
          expectTruth(count, requested, await fromPages(requested, pages, read));
          expect(requests.length).toBeLessThanOrEqual(Math.ceil(requested.limit / pages.size) + 2);
        }
      }
    }
  },
);

test('a window that equals a page takes one request', async () => {
  const { read, requested } = numbered(100, { total: true });
  await fromPages({ limit: 20, offset: 40 }, { size: 100 }, read);
  await fromPages({ limit: 20, offset: 41 }, { size: 50 }, read);
  expect(requested).toEqual(['3×20', '1×50', '2×50']);
});

test.each<[string, { total?: boolean; emptyEnd?: boolean }]>([
  ['a total', { total: true }],
  ['nothing', {}],
  ['that there is more where there is none', { emptyEnd: true }],
])(
  'cursors support any limit and offset without inventing a total: the service reports %s [M15]',
  async (_, reported) => {
    for (const count of counts) {
      for (const requested of windows) {
        expectTruth(count, requested, await fromCursor(requested, cursored(count, reported).read));
      }
    }
  },
);

test('only as many pages as needed are read, and a window out of reach is an error', async () => {
  const { read, requested } = cursored(100);
  expect(await fromCursor({ limit: 2, offset: 3 }, read)).toMatchObject({ total: 6 });
  expect(requested).toEqual([undefined, '3']);
  const far = fromCursor({ limit: 2, offset: 90 }, cursored(100).read, 4);
  await expect(far).rejects.toThrow('up to offset 10: the service goes from page to page.');
  const { items, total } = await fromCursor({ limit: 9, offset: 10 }, cursored(100).read, 4);
  expect([items, total]).toEqual([[10], 12]);
  await expect(fromCursor({ limit: 9, offset: 11 }, cursored(100).read, 4)).rejects.toThrow(
    'offset',
  );
});

test('a cursor that points to itself is an error of the upstream', async () => {
  const read = () => Promise.resolve({ items: [], next: 'a' });
  await expect(fromCursor({ limit: 1, offset: 0 }, read)).rejects.toMatchObject({
    name: 'UpstreamResponseError',
  });
});

test('if the list grew meanwhile, the total is at least the number of items read', async () => {
  const read = () => Promise.resolve({ items: [1, 2, 3], total: 1 });
  const { items, total } = await fromPages({ limit: 3, offset: 0 }, { size: 3 }, read);
  expect([items.length, total]).toEqual([3, 3]);
});
