/** What the record of an author's tools says when they cost a model too much. */
import { expect, test } from 'vitest';
import { excessOf } from './wire-record.ts';

test('the budget’s failure says what takes how much, the limit, and where it is set', () => {
  const list = [{ name: 'acme_list_items', description: 'x'.repeat(4_000) }, { name: 'acme_b' }];
  expect(excessOf(list, { list: 900, tool: 600 }, 'wire.test.ts')).toEqual([
    expect.stringMatching(
      /^The list takes 1\d{3} tokens, and 900 are the most: .+ raise `list` of expectRecorded in wire\.test\.ts\.$/,
    ),
    expect.stringMatching(
      /^acme_list_items takes 1\d{3} tokens, and 600 are the most: .+ `tool` of/,
    ),
  ]);
  expect(excessOf(list, { list: 2_000, tool: 2_000 }, 'wire.test.ts')).toEqual([]);
});
