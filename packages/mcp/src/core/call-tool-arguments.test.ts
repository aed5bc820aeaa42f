import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  callSearch,
  call,
  registered,
  search,
  withoutList,
} from '../../test/doubles/search-tool.ts';
import { responseFormat } from './result/format.ts';
import { line } from './result/markdown.ts';

/** Returns the arguments that the handler received. */
async function givenFor(args: unknown): Promise<Record<string, unknown>> {
  const handler = vi.fn(callSearch);
  const result = await call(args, {}, registered({ handler }));
  expect(result.isError).toBe(false);
  return handler.mock.calls[0]?.[0] as unknown as Record<string, unknown>;
}

describe('arguments', () => {
  test('[M09 M14] are trimmed, and get their defaults', async () => {
    expect(await givenFor({ query: '  ada\n', tags: [' a '] })).toEqual({
      query: 'ada',
      tags: ['a'],
      limit: 20,
      offset: 0,
      response_format: 'markdown',
    });
  });

  test('[M09] are frozen at every depth', async () => {
    const args = await givenFor({ query: 'ada', tags: ['a'] });
    expect(() => Object.assign(args, { limit: 1000 })).toThrow(TypeError);
    expect(() => (args.tags as string[]).push('b')).toThrow(TypeError);
  });

  test('[M09] are copied: the object that was sent stays unchanged', async () => {
    const sent = { query: ' ada ', tags: ['a'] };
    await call(sent);
    expect(Object.isFrozen(sent) || Object.isFrozen(sent.tags)).toBe(false);
    expect(sent.query).toBe(' ada ');
  });

  test('[M09] are treated as empty if they are missing', async () => {
    const plain = withoutList({
      input: z.strictObject({ response_format: responseFormat }),
      markdown: () => line`done`,
    });
    for (const none of [undefined, null, {}]) {
      expect(await call(none, {}, plain)).toEqual({ text: 'done', structured: {}, isError: false });
    }
  });

  test.each<[unknown, string]>([
    [{}, '- query: Required'],
    [{ query: 'a' }, '- query: Too small: expected string to have >=2 characters'],
    [{ query: ' a  ' }, '- query: Too small: expected string to have >=2 characters'],
    [{ query: '\u00a0\n\t ' }, '- query: Too small: expected string to have >=2 characters'],
    [{ query: 'x'.repeat(201) }, '- query: Too big: expected string to have <=200 characters'],
    [{ query: 5 }, '- query: Invalid input: expected string, received number'],
    [{ query: null }, '- query: Invalid input: expected string, received null'],
    [{ query: ['ada'] }, '- query: Invalid input: expected string, received array'],
    [{ query: 'ada', limit: 0 }, '- limit: Too small: expected number to be >=1'],
    [{ query: 'ada', limit: 101 }, '- limit: Too big: expected number to be <=100'],
    [{ query: 'ada', limit: '20' }, '- limit: Invalid input: expected number, received string'],
    [{ query: 'ada', offset: -1 }, '- offset: Too small: expected number to be >=0'],
    [{ query: 'ada', offset: 1.5 }, '- offset: Invalid input: expected a whole number'],
    [{ query: 'ada', size: 1001 }, '- size: Too big: expected number to be <=1000'],
    [
      { query: 'ada', tags: Array(11).fill('a') },
      '- tags: Too big: expected array to have <=10 items',
    ],
    [
      { query: 'ada', tags: ['a', ' '] },
      '- tags.1: Too small: expected string to have >=1 characters',
    ],
    [
      { query: 'ada', response_format: 'xml' },
      '- response_format: Invalid option: expected one of "markdown"|"json"',
    ],
    [{ query: 'ada', Limit: 1 }, '- Unknown fields: Limit'],
    [{ query: 'ada', a: 1, b: 2, c: 3, d: 4 }, '- Unknown fields: a, b, c, d'],
    [{ query: 'ada', a: 1, b: 2, c: 3, d: 4, e: 5 }, '- Unknown fields: a, b, c and 2 more'],
    [JSON.parse('{"query":"ada","__proto__":{"limit":1}}'), '- Unknown fields: __proto__'],
    [{ query: 'ada', constructor: 1 }, '- Unknown fields: constructor'],
    [[], '- Invalid input: expected object, received array'],
    ['ada', '- Invalid input: expected object, received string'],
  ])('[M09 M10 M14 M32 M34] %j is rejected before the tool runs', async (args, problem) => {
    const handler = vi.fn(callSearch);
    expect(await call(args, {}, registered({ handler }))).toEqual({
      text: `Error: Invalid arguments.\n${problem}`,
      isError: true,
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test('[M09 M34] are accepted at their limits', async () => {
    for (const args of [
      { query: 'ab', limit: 1, offset: 0, size: 0 },
      { query: 'x'.repeat(200), limit: 100, offset: 5000, size: 1000 },
      { query: ` ${'x'.repeat(200)} `, tags: Array(10).fill('a') },
    ]) {
      expect((await call(args)).isError).toBe(false);
    }
  });
});

const wrongFields = {
  query: 1,
  tags: 1,
  size: 'a',
  limit: 'a',
  offset: 'a',
  response_format: 1,
};

describe('hostile arguments', () => {
  function nested(depth: number): unknown {
    return JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
  }

  test.each<[string, () => unknown]>([
    [
      '100,000 unknown fields',
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1])),
    ],
    ['a name of a million characters', () => ({ query: 'ada', ['k'.repeat(1_000_000)]: 1 })],
    ['a value of a million characters', () => ({ query: 'v'.repeat(1_000_000) })],
    ['a list of a million', () => ({ query: 'ada', tags: Array(1_000_000).fill(1) })],
    [
      'deep nesting',
      () => ({ query: nested(10_000), limit: nested(10_000), tags: [nested(10_000)] }),
    ],
    ['every field wrong', () => ({ ...wrongFields, more: 1 })],
    [
      'controls and line ends',
      () => ({ query: 'ada', 'a\nError: all is well\u0000\u001b[31m\u202e': 1 }),
    ],
  ])('[M09 M32] %s: a small error text of printable lines', async (_what, make) => {
    const args = make();
    const { text, isError } = await call(args);
    expect(isError).toBe(true);
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text.split('\n').length).toBeLessThanOrEqual(7);
    expect(
      text
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('- ')),
    ).toBe(true);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(text).not.toContain('vvvv');
  });

  test('[M09] at most six problems are listed, and more than that are counted', async () => {
    const { text } = await call(wrongFields);
    expect(text.split('\n')).toHaveLength(7);
    expect(text).not.toContain(' more');
    const seven = await call({ ...wrongFields, more: 1 });
    expect(seven.text.split('\n')).toHaveLength(7);
    expect(seven.text).toMatch(/\n- and 2 more$/);
  });

  test('[M09] a field with many choices does not make the error text long', async () => {
    const choices = Array.from({ length: 100 }, (_, index) => `choice number ${index}`);
    const team = z.enum(choices).describe('x');
    const input = z.strictObject({ ...search.input.shape, team });
    const { text } = await call({ query: 'ada', team: 'other' }, {}, registered({ input }));
    expect(text).toMatch(/\n- team: Invalid option: expected one of "choice number 0"\|.+…$/);
    expect(text.length).toBeLessThan(200);
  });

  test('[M09] hostile keys of a record are truncated', async () => {
    const labels = z.record(z.string().trim().max(5), z.boolean()).describe('x');
    const input = z.strictObject({ ...search.input.shape, labels });
    const sent = { query: 'ada', labels: { ['n'.repeat(1_000_000)]: true, short: 'no' } };
    const { text } = await call(sent, {}, registered({ input }));
    expect(text.length).toBeLessThan(300);
    expect(text).toContain(`labels.${'n'.repeat(39)}…`);
  });
});
