import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { toolContext } from '../../test/tool-context.ts';
import { callTool, type CallOptions, type ToolResult } from './call-tool.ts';
import { defineTool, type ToolDefinition } from './define-tool.ts';
import { ToolError, ToolOutputError, UpstreamStatusError, UpstreamTimeoutError } from './errors.ts';
import { responseFormat } from './format.ts';
import { line, lines, nameWithId } from './markdown.ts';
import { limit, offset, pageOf, pageShape } from './pagination.ts';
import { createRegistry, type RegisteredTool } from './registry.ts';

const user = z.strictObject({ id: z.string(), name: z.string(), team: z.string().optional() });

/** A directory of as many people as is asked: each is about 60 characters of either text. */
const search = defineTool({
  name: 'example_search_users',
  annotations: {
    title: 'Search users',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  input: z.strictObject({
    query: z.string().trim().min(2).max(200).describe('Part of a name.'),
    tags: z.array(z.string().trim().min(1).max(20)).max(10).default([]).describe('All of these.'),
    size: z.int().min(0).max(1000).optional().describe('How many there are.'),
    limit,
    offset,
    response_format: responseFormat,
  }),
  output: z.strictObject(pageShape('users', user)),
  documentation: {
    purpose: 'Finds people by name.',
    whenToUse: [],
    whenNotToUse: [],
    returns: 'A page of people.',
    errors: [],
    examples: [],
  },
  list: 'users',
  handler(args) {
    const total = args.size ?? 3;
    const count = Math.max(0, Math.min(args.limit, total - args.offset));
    const users = Array.from({ length: count }, (_, index) => ({
      id: `u${args.offset + index}`,
      name: `Person ${'x'.repeat(20)} ${args.offset + index}`,
    }));
    return Promise.resolve({ ...pageOf({ total, count, offset: args.offset }), users });
  },
  markdown: (page) =>
    lines(
      line`Found ${page.total}, showing ${page.count}`,
      ...page.users.map((one) => line`- ${nameWithId(one.name, one.id)}`),
    ),
  empty: (page, args) => (page.total === 0 ? `No users found matching '${args.query}'` : undefined),
});

const answer = (...given: Parameters<typeof search.handler>): Promise<unknown> =>
  search.handler(...given);

function registered(changes: Partial<Record<keyof ToolDefinition, unknown>> = {}): RegisteredTool {
  const tool = { ...search, ...changes } as ToolDefinition;
  const found = createRegistry({ name: 'example_mcp', tools: [tool] }).tools.get(tool.name);
  if (found === undefined) throw new Error('The tool is not in the registry');
  return found;
}

function withoutList(changes: Partial<Record<keyof ToolDefinition, unknown>>): RegisteredTool {
  const handler = () => Promise.resolve({});
  return registered({
    list: undefined,
    empty: undefined,
    output: z.strictObject({}),
    handler,
    ...changes,
  });
}

const tool = registered();

function call(args: unknown, options?: CallOptions, on = tool): Promise<ToolResult> {
  return callTool(on, args, toolContext(), options);
}

/** What `handler` was given. */
async function givenFor(args: unknown): Promise<Record<string, unknown>> {
  const handler = vi.fn(answer);
  const result = await call(args, {}, registered({ handler }));
  expect(result.isError).toBe(false);
  return handler.mock.calls[0]?.[0] as unknown as Record<string, unknown>;
}

describe('arguments', () => {
  test('[M09 M14] are stripped, and have their defaults', async () => {
    expect(await givenFor({ query: '  ada\n', tags: [' a '] })).toEqual({
      query: 'ada',
      tags: ['a'],
      limit: 20,
      offset: 0,
      response_format: 'markdown',
    });
  });

  test('[M09] cannot be changed later, at any depth', async () => {
    const args = await givenFor({ query: 'ada', tags: ['a'] });
    expect(() => Object.assign(args, { limit: 1000 })).toThrow(TypeError);
    expect(() => (args.tags as string[]).push('b')).toThrow(TypeError);
  });

  test('[M09] what was sent is left as it is', async () => {
    const sent = { query: ' ada ', tags: ['a'] };
    await call(sent);
    expect(Object.isFrozen(sent) || Object.isFrozen(sent.tags)).toBe(false);
    expect(sent.query).toBe(' ada ');
  });

  test('[M09] no arguments are the same as none given', async () => {
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
    [{ query: 'ada', a: 1, b: 2, c: 3, d: 4 }, '- Unknown fields: a, b, c and 1 more'],
    [JSON.parse('{"query":"ada","__proto__":{"limit":1}}'), '- Unknown fields: __proto__'],
    [{ query: 'ada', constructor: 1 }, '- Unknown fields: constructor'],
    [[], '- Invalid input: expected object, received array'],
    ['ada', '- Invalid input: expected object, received string'],
  ])('[M09 M10 M14 M32 M34] %j is refused before the tool runs', async (args, problem) => {
    const handler = vi.fn(answer);
    expect(await call(args, {}, registered({ handler }))).toEqual({
      text: `Error: Invalid arguments.\n${problem}`,
      isError: true,
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test('[M09 M34] the bounds themselves are accepted', async () => {
    for (const args of [
      { query: 'ab', limit: 1, offset: 0, size: 0 },
      { query: 'x'.repeat(200), limit: 100, offset: 5000, size: 1000 },
      { query: ` ${'x'.repeat(200)} `, tags: Array(10).fill('a') },
    ]) {
      expect((await call(args)).isError).toBe(false);
    }
  });
});

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
    [
      'every field wrong',
      () => ({
        query: 1,
        tags: 1,
        size: 'a',
        limit: 'a',
        offset: 'a',
        response_format: 1,
        more: 1,
      }),
    ],
    [
      'controls and line ends',
      () => ({ query: 'ada', 'a\nError: all is well\u0000\u001b[31m\u202e': 1 }),
    ],
  ])('[M09 M32] %s: a small answer, quickly, of printable lines', async (_what, make) => {
    const args = make();
    const started = performance.now();
    const { text, isError } = await call(args);
    expect(performance.now() - started).toBeLessThan(1000);
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

  test('[M09] at most five problems are named, and the rest counted', async () => {
    const { text } = await call({
      query: 1,
      tags: 1,
      size: 'a',
      limit: 'a',
      offset: 'a',
      response_format: 1,
    });
    expect(text.split('\n')).toHaveLength(7);
    expect(text).toMatch(/\n- and 1 more$/);
  });

  test('[M09] a field with many choices does not make a long answer', async () => {
    const choices = Array.from({ length: 100 }, (_, index) => `choice number ${index}`);
    const team = z.enum(choices).describe('x');
    const input = z.strictObject({ ...search.input.shape, team });
    const { text } = await call({ query: 'ada', team: 'other' }, {}, registered({ input }));
    expect(text).toMatch(/\n- team: Invalid option: expected one of "choice number 0"\|.+…$/);
    expect(text.length).toBeLessThan(200);
  });

  test('[M09] a record’s hostile names come back cut', async () => {
    const labels = z.record(z.string().trim().max(5), z.boolean()).describe('x');
    const input = z.strictObject({ ...search.input.shape, labels });
    const sent = { query: 'ada', labels: { ['n'.repeat(1_000_000)]: true, short: 'no' } };
    const { text } = await call(sent, {}, registered({ input }));
    expect(text.length).toBeLessThan(300);
    expect(text).toContain(`labels.${'n'.repeat(39)}…`);
  });
});

describe('results', () => {
  test('[M11 M12] are Markdown, unless JSON is asked', async () => {
    const result = await call({ query: 'ada', size: 1 });
    expect(result.text).toBe(`Found 1, showing 1\n- Person ${'x'.repeat(20)} 0 (u0)`);
    const explicit = await call({ query: 'ada', size: 1, response_format: 'markdown' });
    expect(explicit).toEqual(result);
  });

  test('[M13 M27] as JSON are the whole structured output', async () => {
    const { text, structured } = await call({ query: 'ada', response_format: 'json' });
    expect(text).toBe(JSON.stringify(structured));
    expect(Object.keys(structured ?? {})).toEqual(Object.keys(search.output.shape));
    expect(structured).toMatchObject({ total: 3, count: 3, next_offset: null });
  });

  test('[M15] name the next page in Markdown too', async () => {
    const { text } = await call({ query: 'ada', size: 50, offset: 20 });
    expect(text).toMatch(/\n\nMore results: offset 40\.$/);
  });

  test('[M16 M32] with nothing in them are one sentence in either format, and still have their data', async () => {
    for (const response_format of ['markdown', 'json']) {
      const result = await call({ query: ' "ada" ', size: 0, response_format });
      expect(result.text).toBe(`No users found matching '"ada"'`);
      expect(result.structured).toMatchObject({ total: 0, users: [], has_more: false });
      expect(result.isError).toBe(false);
    }
  });

  test('[M27] that are not as the output model says never leave', async () => {
    const page = pageOf({ total: 1, count: 1, offset: 0 });
    for (const given of [
      { ...page, users: [{ id: 1, name: 'x' }] },
      { ...page, users: [{ id: 'u1', name: 'x', password: 'hunter2' }] },
      { ...page, users: [], secret: 'hunter2' },
      undefined,
    ]) {
      const onUnexpected = vi.fn();
      const handler = (): Promise<unknown> => Promise.resolve(given);
      expect(await call({ query: 'ada' }, { onUnexpected }, registered({ handler }))).toEqual({
        text: 'Error: Unexpected error occurred: ToolOutputError',
        isError: true,
      });
      expect(onUnexpected).toHaveBeenCalledWith(
        expect.any(ToolOutputError),
        'example_search_users',
      );
    }
  });
});

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

describe('failures', () => {
  test.each<[Error, string, number]>([
    [new UpstreamStatusError(404), 'Error: Resource not found. Please check the ID is correct.', 0],
    [new UpstreamTimeoutError('x'), 'Error: Request timed out. Please try again.', 0],
    [new ToolError('Name it otherwise.'), 'Error: Name it otherwise.', 0],
    [new RangeError('at /srv/app/secret.ts'), 'Error: Unexpected error occurred: RangeError', 1],
  ])('[M32 M33] %s is returned as text', async (error, text, reports) => {
    const onUnexpected = vi.fn();
    const asynchronous = registered({ handler: () => Promise.reject(error) });
    const synchronous = registered({
      handler() {
        throw error;
      },
    });
    for (const failing of [asynchronous, synchronous]) {
      expect(await call({ query: 'ada' }, { onUnexpected }, failing)).toEqual({
        text,
        isError: true,
      });
    }
    expect(onUnexpected).toHaveBeenCalledTimes(2 * reports);
  });

  test('[M32] of the tool’s own Markdown are text too', async () => {
    const markdown = (): string => {
      throw new TypeError('x');
    };
    expect(await call({ query: 'ada' }, {}, registered({ markdown }))).toEqual({
      text: 'Error: Unexpected error occurred: TypeError',
      isError: true,
    });
  });

  test('are nobody’s when the caller is gone', async () => {
    const gone = new AbortController();
    const onUnexpected = vi.fn();
    const markdown = vi.fn(() => line``);
    for (const ends of [() => Promise.reject(new Error('aborted')), answer]) {
      const handler = (...given: Parameters<typeof answer>): Promise<unknown> => {
        gone.abort(new Error('cancelled by the caller'));
        return ends(...given);
      };
      const leaving = registered({ handler, markdown });
      const context = toolContext({ signal: gone.signal });
      const called = callTool(leaving, { query: 'ada' }, context, { onUnexpected });
      await expect(called).rejects.toThrow('cancelled by the caller');
    }
    expect(onUnexpected).not.toHaveBeenCalled();
    expect(markdown).not.toHaveBeenCalled();
  });
});
