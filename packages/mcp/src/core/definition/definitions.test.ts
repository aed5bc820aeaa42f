/** Type-level tests. `npm run typecheck` runs them: an unused `@ts-expect-error` is an error. */
import { expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { toolContext } from '../../testing/tool-context-double.ts';
import type { ToolContext } from '../context/tool-context.ts';
import { line } from '../result/markdown.ts';
import { page } from '../result/pagination.ts';
import type { Upstream } from '../upstream/client.ts';
import { prompt, resource, service } from './service.ts';
import type { ResourceContext } from './service-definition.ts';
import { optional, reads, tool, writes } from './tool.ts';

interface State {
  readonly directory: readonly string[];
}

const annotations = reads('Search users');
const documentation = {
  purpose: 'Finds people.',
  whenToUse: [],
  whenNotToUse: [],
  returns: 'People.',
};
const input = {
  query: z.string().trim().min(2).max(200).describe('Part of a name.'),
  tags: z.array(z.string().trim().max(20)).max(10).default([]).describe('All of these.'),
};
const user = z.object({ id: z.string(), name: z.string(), team: optional(z.string()) });
const output = page('users', user);
const base = { name: 'example_search_users', annotations, input, output, ...documentation };
const none = { handler: () => Promise.resolve({ total: 0, users: [] }), markdown: () => line`` };

test('[M04 M09 M27] a definition infers its arguments, state and output', () => {
  const search = tool({
    ...base,
    handler(args, context: ToolContext<State>) {
      expectTypeOf(args.query).toEqualTypeOf<string>();
      expectTypeOf(args.tags).toEqualTypeOf<readonly string[]>();
      expectTypeOf(args.response_format).toEqualTypeOf<'markdown' | 'json'>();
      expectTypeOf(args.limit).toEqualTypeOf<number>();
      const users = context.lifespanState.directory.map((name) => ({ id: name, name }));
      return Promise.resolve({ total: users.length, users });
    },
    markdown(result) {
      expectTypeOf(result.users[0]?.team).toEqualTypeOf<string | undefined>();
      expectTypeOf(result.next_offset).toEqualTypeOf<number | null>();
      return line``;
    },
  });
  const made = service({
    name: 'example_mcp',
    title: 'Example',
    instructions: '',
    settings: z.object({ DIRECTORY: z.string() }),
    tools: [search],
    start({ DIRECTORY }) {
      expectTypeOf(DIRECTORY).toEqualTypeOf<string>();
      const state: State = { directory: [DIRECTORY] };
      return { state, isReady: () => Promise.resolve(true), stop: () => Promise.resolve() };
    },
  });
  expect(made.createService({ DIRECTORY: 'a' })).toMatchObject({ tools: [search], prompts: [] });
});

test('[M04 M14] response_format is an argument of every tool, limit and offset are of one that gives a page', () => {
  const lookup = tool({
    ...base,
    output: user,
    handler(args, context) {
      expectTypeOf(context.lifespanState.upstream).toEqualTypeOf<Upstream>();
      // @ts-expect-error: it gives no page
      return Promise.resolve({ id: String(args.limit), name: args.query });
    },
    markdown: ({ name }) => line`${name}`,
  });
  expect(Object.keys(lookup.input.shape)).toEqual(['query', 'tags', 'response_format']);
  const many = tool({ ...base, ...none });
  expect(Object.keys(many.input.shape)).toEqual([
    ...['query', 'tags', 'limit', 'offset', 'response_format'],
  ]);
});

test('[M15] the fields of a page come from what was found, which is cut to the limit', async () => {
  const users = ['a', 'b', 'c'].map((id) => ({ id, name: id }));
  const given = { tags: [], query: 'ab', limit: 2, offset: 4, response_format: 'json' as const };
  const named = tool({ ...base, ...none, handler: () => Promise.resolve({ total: 9, users }) });
  const page = {
    ...{ total: 9, count: 2, offset: 4, has_more: true, next_offset: 6 },
    users: users.slice(0, 2),
  };
  expect(await named.handler(given, toolContext())).toEqual(page);
  const window = { total: 9, items: users };
  const unnamed = tool({ ...base, ...none, handler: () => Promise.resolve(window) });
  expect(await unnamed.handler(given, toolContext())).toEqual(page);
});

test('[M08] every tool has all five annotations, and the compiler rejects a part of them', () => {
  expect(reads('Read')).toEqual({
    title: 'Read',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  });
  expect(writes('Write', { destructive: true, idempotent: true, openWorld: false })).toEqual({
    title: 'Write',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  });
  const { title, ...hints } = annotations;
  // @ts-expect-error: title is required
  tool({ ...base, ...none, annotations: hints });
  // @ts-expect-error: the other four are required
  tool({ ...base, ...none, annotations: { title } });
  // @ts-expect-error: all of them are required
  tool({ name: base.name, input, output, ...documentation, ...none });
});

test('[M09] the compiler rejects an output that is no object', () => {
  // @ts-expect-error: a union has no object schema for the wire
  expect(() => tool({ ...base, ...none, output: z.union([user, user]) })).toThrow(TypeError);
});

test('[M12] the compiler rejects Markdown that was not made with `line`', () => {
  const name = '# anyone’s words';
  // @ts-expect-error: a string may contain untrusted markup
  tool({ ...base, ...none, markdown: () => `# ${name}` });
});

test('[M07 M09] a handler with the wrong output, and one that mutates its arguments, are rejected', () => {
  // @ts-expect-error: a page needs its array
  tool({ ...base, ...none, handler: () => Promise.resolve({ total: 0 }) });
  // @ts-expect-error: an id is a string
  tool({ ...base, ...none, handler: () => Promise.resolve({ total: 1, users: [{ id: 1 }] }) });
  // @ts-expect-error: a handler is asynchronous (M06)
  tool({ ...base, ...none, handler: () => ({ total: 0, users: [] }) });
  tool({
    ...base,
    ...none,
    handler(args) {
      // @ts-expect-error: arguments are read-only
      args.limit = 1;
      // @ts-expect-error: lists in arguments are read-only too
      args.tags[0] = 'x';
      return none.handler();
    },
  });
  const { purpose, ...rest } = documentation;
  expect(purpose).not.toBe('');
  // @ts-expect-error: the purpose is required
  tool({ name: base.name, annotations, input, output, ...rest, ...none });
});

const log = { name: 'log', title: 'Log', description: 'A log.', mimeType: 'text/plain' };

test('[M19 M20] a resource infers its template’s variables and its state', () => {
  const day = resource({
    ...log,
    uri: 'log://{host}/days/{day}',
    read({ host, day: read }, context: ResourceContext<State>) {
      expectTypeOf(read).toEqualTypeOf<string>();
      return Promise.resolve(`${host}${read}${context.lifespanState.directory.join()}`);
    },
    complete(variable) {
      expectTypeOf(variable).toEqualTypeOf<'host' | 'day'>();
      return Promise.resolve([]);
    },
  });
  expect(day.uri).toBe('log://{host}/days/{day}');
  resource({
    ...log,
    uri: 'log://{host}',
    // @ts-expect-error: the template does not have this variable
    read: ({ hots }) => Promise.resolve(String(hots)),
  });
});

test('a prompt infers its arguments', () => {
  const args = z.strictObject({ who: z.string().max(9), how: z.enum(['a', 'b']).optional() });
  const greeting = { name: 'greet', title: 'Greet', description: 'Greets.', arguments: args };
  const greet = prompt({
    ...greeting,
    render({ who, how }) {
      expectTypeOf(who).toEqualTypeOf<string>();
      expectTypeOf(how).toEqualTypeOf<'a' | 'b' | undefined>();
      return who;
    },
    complete(argument) {
      expectTypeOf(argument).toEqualTypeOf<'who' | 'how'>();
      return [];
    },
  });
  expect(greet.render({ who: 'Ada' }, toolContext())).toBe('Ada');
  // @ts-expect-error: the prompt does not have this argument
  prompt({ ...greeting, render: ({ whom }) => String(whom) });
});
