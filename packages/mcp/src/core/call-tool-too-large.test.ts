import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call, registered, search, withoutList } from '../../test/doubles/search-tool.ts';
import type { ToolResult } from './call-tool.ts';
import { line } from './result/markdown.ts';
import { pageOf, pageShape } from './result/pagination.ts';

/** Both sizes, because a client may show the model the text, the data or both. */
const sizesOf = ({ text, structured }: ToolResult) => [
  text.length,
  JSON.stringify(structured).length,
];
const sizeOf = (result: ToolResult) => Math.max(...sizesOf(result));

const whole = { resultSize: Infinity };

describe('a result over the size limit', () => {
  const limits = Array.from({ length: 30 }, (_, index) => 260 + index * 120);

  test.each(['markdown', 'json'])(
    '[M15] has as many items as fit, as text and as data, with correct pagination: %s',
    async (response_format) => {
      const args = { query: 'ada', size: 250, limit: 100, offset: 30, response_format };
      const full = await call(args, whole);
      expect(Math.min(...sizesOf(full))).toBeGreaterThan(limits.at(-1) ?? 0);
      for (const resultSize of limits) {
        const result = await call(args, { resultSize });
        const page = result.structured as { count: number; users: unknown[]; next_offset: number };
        expect(page).toEqual({
          total: 250,
          count: page.count,
          offset: 30,
          users: (full.structured?.users as unknown[]).slice(0, page.count),
          has_more: true,
          next_offset: 30 + page.count,
        });
        expect(page.count).toBeGreaterThan(0);
        expect(sizeOf(result)).toBeLessThanOrEqual(resultSize);
        // With one more item it would not fit.
        const more = await call({ ...args, limit: page.count + 1 }, whole);
        expect(sizeOf(more)).toBeGreaterThan(resultSize);
        const { text } = result;
        if (response_format === 'json') expect(JSON.parse(text)).toEqual(result.structured);
        else
          expect(text).toMatch(
            new RegExp(`showing ${page.count}\n.*offset ${page.next_offset}\\.$`, 's'),
          );
      }
    },
  );

  test('[M15] can be read completely by following next_offset, each item once', async () => {
    const seen: string[] = [];
    for (let at: number | null = 0; at !== null;) {
      const args = { query: 'ada', size: 137, limit: 100, offset: at };
      const { structured } = await call(args, { resultSize: 900 });
      const page = structured as { users: { id: string }[]; next_offset: number | null };
      expect(page.users.length).toBeGreaterThan(0);
      seen.push(...page.users.map(({ id }) => id));
      at = page.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 137 }, (_, index) => `u${index}`));
  });

  test.each(['markdown', 'json'])('[M15] is complete at exactly the limit: %s', async (format) => {
    const args = { query: 'ada', size: 50, limit: 50, response_format: format };
    const size = sizeOf(await call(args, whole));
    expect((await call(args, { resultSize: size })).structured).toMatchObject({ count: 50 });
    expect((await call(args, { resultSize: size - 1 })).structured).toMatchObject({ count: 49 });
  });

  test('[M15] counts items that the upstream’s total omits', async () => {
    const users = Array.from({ length: 20 }, (_, index) => ({
      id: `u${index}`,
      name: 'x'.repeat(50),
    }));
    const page = pageOf({ total: 0, count: 20, offset: 0 });
    const handler = (): Promise<unknown> => Promise.resolve({ ...page, users });
    const forgetful = registered({ handler, empty: undefined });
    const { structured } = await call({ query: 'ada' }, { resultSize: 500 }, forgetful);
    const { count } = structured as { count: number };
    expect(structured).toMatchObject({ total: 20, has_more: true, next_offset: count });
    expect(count).toBeLessThan(20);
  });

  test.each([25_000, 25_001])('has over 25,000 characters by default: %i', async (size) => {
    const long = registered({
      markdown: ({ count }: { count: number }) => line`${'x'.repeat(count === 100 ? size : 9)}`,
    });
    const { structured } = await call({ query: 'ada', size: 100, limit: 100 }, {}, long);
    expect(structured).toMatchObject({ count: size === 25_000 ? 100 : 99 });
  });

  test('is detected by its data, even if the text is short', async () => {
    const short = registered({ markdown: () => line`Found some.` });
    const args = { query: 'ada', size: 100, limit: 100 };
    expect((await call(args, { resultSize: 2_000 }, short)).structured).toMatchObject({
      has_more: true,
    });
  });

  test('is an error that names the arguments to narrow, if it is a single item or not a list', async () => {
    const single = await call({ query: 'ada', size: 1 }, { resultSize: 100 });
    expect(single).toEqual({
      text: expect.stringMatching(
        /^Error: The result is too large: \d+ characters, and 100 are the most\. Narrow it by query, tags or size\.$/,
      ) as string,
      isError: true,
    });
    const body = 'x'.repeat(30_000);
    const output = z.strictObject({ body: z.string() });
    const handler = () => Promise.resolve({ body });
    const large = { output, handler, narrowBy: ['size'] };
    const markdown = () => line`Read.`;
    expect(await call({ query: 'ada' }, {}, withoutList({ ...large, markdown }))).toEqual({
      text: 'Error: The result is too large: 30011 characters, and 25000 are the most. Narrow it by size.',
      isError: true,
    });
  });

  test('of a tool that makes changes states that the change was made', async () => {
    const annotations = { ...search.annotations, readOnlyHint: false };
    const markdown = () => line`${'x'.repeat(30_000)}`;
    const { text, isError } = await call(
      { query: 'ada' },
      {},
      withoutList({ annotations, markdown }),
    );
    expect(text).toBe(
      'Error: It is done, but the result is too large: 30000 characters, and 25000 are the most. Do not call this again; read what you need of it otherwise.',
    );
    expect(isError).toBe(true);
  });

  test('is not shortened to an output that the model rejects', async () => {
    const user = z.strictObject({ id: z.string(), name: z.string() });
    const output = z.strictObject({ ...pageShape('users', user), users: z.array(user).min(40) });
    const args = { query: 'ada', size: 100, limit: 100 };
    const { structured } = await call(args, { resultSize: 4_000 }, registered({ output }));
    expect(structured).toMatchObject({ has_more: true });
    expect(await call(args, { resultSize: 1_000 }, registered({ output }))).toMatchObject({
      isError: true,
      text: expect.stringContaining('too large') as string,
    });
  });
});
