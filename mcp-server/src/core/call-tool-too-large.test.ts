import { describe, expect, test } from 'vitest';
import { call, registered, withoutList } from '../../test/search-tool.ts';
import { line } from './result/markdown.ts';
import { pageOf } from './result/pagination.ts';

describe('a result that is too large', () => {
  const sizes = Array.from({ length: 30 }, (_, index) => 60 + index * 97);

  test.each(['markdown', 'json'])(
    '[M15] has as many items as fit, and says so truthfully: %s',
    async (response_format) => {
      const asked = { query: 'ada', size: 250, limit: 100, offset: 30, response_format };
      const full = await call(asked, { textLimit: Infinity });
      expect(full.text.length).toBeGreaterThan(3000);
      for (const textLimit of sizes) {
        const { text, structured } = await call(asked, { textLimit });
        const page = structured as { count: number; users: unknown[]; next_offset: number };
        expect(page).toEqual({
          total: 250,
          count: page.count,
          offset: 30,
          users: (full.structured?.users as unknown[]).slice(0, page.count),
          has_more: true,
          next_offset: 30 + page.count,
        });
        // One item more would not have fitted.
        const more = await call({ ...asked, limit: page.count + 1 }, { textLimit: Infinity });
        expect(more.text.length).toBeGreaterThan(textLimit);
        if (page.count > 1) expect(text.length).toBeLessThanOrEqual(textLimit);
        if (response_format === 'json') expect(JSON.parse(text)).toEqual(structured);
        else
          expect(text).toMatch(
            new RegExp(`showing ${page.count}\n.*offset ${page.next_offset}\\.$`, 's'),
          );
      }
    },
  );

  test('[M15] pages on from one next_offset to the next until all were given, each once', async () => {
    const seen: string[] = [];
    for (let at: number | null = 0; at !== null;) {
      const asked = { query: 'ada', size: 137, limit: 100, offset: at };
      const { structured } = await call(asked, { textLimit: 900 });
      const page = structured as { users: { id: string }[]; next_offset: number | null };
      expect(page.users.length).toBeGreaterThan(0);
      seen.push(...page.users.map(({ id }) => id));
      at = page.next_offset;
    }
    expect(seen).toEqual(Array.from({ length: 137 }, (_, index) => `u${index}`));
  });

  test('[M15] at exactly the limit is whole', async () => {
    const asked = { query: 'ada', size: 50, limit: 50 };
    const { text } = await call(asked);
    expect((await call(asked, { textLimit: text.length })).structured).toMatchObject({ count: 50 });
    expect((await call(asked, { textLimit: text.length - 1 })).structured).toMatchObject({
      count: 49,
    });
  });

  test('[M15] counts items that the upstream’s total forgot', async () => {
    const users = Array.from({ length: 20 }, (_, index) => ({
      id: `u${index}`,
      name: 'x'.repeat(50),
    }));
    const page = pageOf({ total: 0, count: 20, offset: 0 });
    const handler = (): Promise<unknown> => Promise.resolve({ ...page, users });
    const forgetful = registered({ handler, empty: undefined });
    const { structured } = await call({ query: 'ada' }, { textLimit: 500 }, forgetful);
    const { count } = structured as { count: number };
    expect(structured).toMatchObject({ total: 20, has_more: true, next_offset: count });
    expect(count).toBeLessThan(20);
  });

  test('is given whole when it is one item, or no list', async () => {
    const one = await call({ query: 'ada', size: 1 }, { textLimit: 5 });
    expect(one.structured).toMatchObject({ count: 1, has_more: false });
    const text = 'x'.repeat(30_000);
    const plain = withoutList({ markdown: () => line`${text}` });
    expect((await call({ query: 'ada' }, {}, plain)).text).toBe(text);
  });

  test('is what has over 25,000 characters when nothing else is said', async () => {
    const long = registered({
      markdown: (page: { count: number }) => line`${'x'.repeat(page.count * 1000)}`,
    });
    const asked = { query: 'ada', size: 100, limit: 100 };
    expect((await call(asked, {}, long)).structured).toMatchObject({ count: 24, next_offset: 24 });
  });
});
