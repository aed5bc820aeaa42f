import { expect, test } from 'vitest';
import { z } from 'zod';
import { limit, offset, pageOf, pageShape } from './pagination.ts';

test('[M14 M34] limit is 1 to 100, and defaults to 20', () => {
  expect(limit.parse(undefined)).toBe(20);
  for (const good of [1, 20, 100]) expect(limit.parse(good)).toBe(good);
  for (const bad of [0, -1, 101, 1.5, NaN, Infinity, '20', null]) {
    expect(limit.safeParse(bad).success).toBe(false);
  }
});

test('[M14 M34] offset is 0 or more, and defaults to 0', () => {
  expect(offset.parse(undefined)).toBe(0);
  for (const good of [0, 1, 1_000_000]) expect(offset.parse(good)).toBe(good);
  for (const bad of [-1, 0.5, NaN, Infinity, '0', null]) {
    expect(offset.safeParse(bad).success).toBe(false);
  }
});

test.each([
  { total: 0, count: 0, offset: 0, has_more: false, next_offset: null },
  { total: 45, count: 20, offset: 0, has_more: true, next_offset: 20 },
  { total: 45, count: 5, offset: 40, has_more: false, next_offset: null },
  { total: 41, count: 20, offset: 20, has_more: true, next_offset: 40 },
  { total: 40, count: 20, offset: 20, has_more: false, next_offset: null },
  { total: 45, count: 0, offset: 60, has_more: false, next_offset: null },
  { total: 0, count: 3, offset: 0, has_more: false, next_offset: null },
])('[M15] $count from $offset of $total', ({ has_more, next_offset, ...known }) => {
  expect(pageOf(known)).toEqual({ ...known, has_more, next_offset });
});

test('[M15] a page has the contract’s fields in the contract’s order, with the named array', () => {
  const page = z.strictObject(pageShape('users', z.strictObject({ id: z.string() })));
  const given = { users: [{ id: 'u1' }], ...pageOf({ total: 3, count: 1, offset: 1 }) };
  expect(JSON.stringify(page.parse(given))).toBe(
    '{"total":3,"count":1,"offset":1,"users":[{"id":"u1"}],"has_more":true,"next_offset":2}',
  );
  expect(page.safeParse({ ...given, items: [] }).success).toBe(false);
  expect(page.safeParse({ ...given, total: -1 }).success).toBe(false);
});
