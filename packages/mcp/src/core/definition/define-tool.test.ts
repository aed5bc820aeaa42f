/** Type-level tests. `npm run typecheck` runs them: an unused `@ts-expect-error` is an error. */
import { expect, expectTypeOf, test } from 'vitest';
import { toolContext } from '../../testing/tool-context-double.ts';
import { z } from 'zod';
import type { ToolContext } from '../context/tool-context.ts';
import { defineTool } from './define-tool.ts';
import { responseFormat } from '../result/format.ts';
import { line } from '../result/markdown.ts';
import { limit, offset, pageOf, pageShape } from '../result/pagination.ts';
import {
  definePrompt,
  defineResource,
  defineService,
  type ResourceContext,
} from './define-service.ts';

interface State {
  readonly directory: readonly string[];
}

const annotations = {
  title: 'Search users',
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const documentation = {
  purpose: 'Finds people.',
  whenToUse: [],
  whenNotToUse: [],
  returns: 'People.',
  errors: [],
  examples: [],
};
const input = z.strictObject({
  query: z.string().trim().min(2).max(200).describe('Part of a name.'),
  tags: z.array(z.string().trim().max(20)).max(10).default([]).describe('All of these.'),
  limit,
  offset,
  response_format: responseFormat,
});
const user = z.strictObject({ id: z.string(), name: z.string(), team: z.string().optional() });
const output = z.strictObject(pageShape('users', user));
const page = { total: 0, count: 0, offset: 0, has_more: false, next_offset: null };
const base = { name: 'example_search_users', annotations, input, output, documentation };
const none = { handler: () => Promise.resolve({ ...page, users: [] }), markdown: () => line`` };

test('[M04 M09 M27] a definition infers its arguments, state and output', () => {
  const tool = defineTool({
    ...base,
    list: 'users',
    handler(args, context: ToolContext<State>) {
      expectTypeOf(args.query).toEqualTypeOf<string>();
      expectTypeOf(args.tags).toEqualTypeOf<readonly string[]>();
      expectTypeOf(args.response_format).toEqualTypeOf<'markdown' | 'json'>();
      const users = context.lifespanState.directory.map((name) => ({ id: name, name }));
      return Promise.resolve({
        ...pageOf({ total: users.length, count: users.length, offset: args.offset }),
        users,
      });
    },
    markdown(result) {
      expectTypeOf(result.users[0]?.team).toEqualTypeOf<string | undefined>();
      expectTypeOf(result.next_offset).toEqualTypeOf<number | null>();
      return line``;
    },
  });
  const service = defineService<State>({
    name: 'example_mcp',
    title: 'Example',
    instructions: '',
    tools: [tool],
    resources: [],
    prompts: [],
    start: () => ({
      state: { directory: [] },
      isReady: () => Promise.resolve(true),
      stop: () => Promise.resolve(),
    }),
  });
  expect(service.tools[0]).toBe(tool);
});

test('[M08] the compiler rejects a definition without one of the five annotations', () => {
  for (const hint of Object.keys(annotations)) expect(annotations).toHaveProperty(hint);
  const { title, ...hints } = annotations;
  // @ts-expect-error: title is required
  defineTool({ ...base, ...none, annotations: hints });
  // @ts-expect-error: the other four are required
  defineTool({ ...base, ...none, annotations: { title } });
  // @ts-expect-error: all of them are required
  defineTool({ name: base.name, input, output, documentation, ...none });
});

test('[M09] the compiler rejects a model that is not an object', () => {
  // @ts-expect-error: a raw shape is not a model
  defineTool({ ...base, ...none, input: input.shape });
  // @ts-expect-error: a union has no object schema for the wire
  defineTool({ ...base, ...none, input: z.union([input, output]) });
});

test('[M12] the compiler rejects Markdown that was not made with `line`', () => {
  const name = '# anyone’s words';
  // @ts-expect-error: a string may contain untrusted markup
  defineTool({ ...base, ...none, markdown: () => `# ${name}` });
});

test('[M07 M09] a handler with the wrong output, and one that mutates its arguments, are rejected', () => {
  // @ts-expect-error: a page needs its array
  defineTool({ ...base, ...none, handler: () => Promise.resolve(page) });
  // @ts-expect-error: an id is a string
  defineTool({ ...base, ...none, handler: () => Promise.resolve({ ...page, users: [{ id: 1 }] }) });
  // @ts-expect-error: a handler is asynchronous (M06)
  defineTool({ ...base, ...none, handler: () => ({ ...page, users: [] }) });
  defineTool({
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
  // @ts-expect-error: all of the documentation is required
  defineTool({ ...base, ...none, documentation: { purpose: 'Finds people.' } });
  // @ts-expect-error: `list` must name a field of the output
  defineTool({ ...base, ...none, list: 'people' });
});

const resource = { name: 'log', title: 'Log', description: 'A log.', mimeType: 'text/plain' };

test('[M19 M20] a resource infers its template’s variables and its state', () => {
  const day = defineResource({
    ...resource,
    uriTemplate: 'log://{host}/days/{day}',
    read({ host, day: read }, context: ResourceContext<State>) {
      expectTypeOf(read).toEqualTypeOf<string>();
      return Promise.resolve(`${host}${read}${context.lifespanState.directory.join()}`);
    },
    complete(variable) {
      expectTypeOf(variable).toEqualTypeOf<'host' | 'day'>();
      return Promise.resolve([]);
    },
  });
  expect(day.uriTemplate).toBe('log://{host}/days/{day}');
  defineResource({
    ...resource,
    uriTemplate: 'log://{host}',
    // @ts-expect-error: the template does not have this variable
    read: ({ hots }) => Promise.resolve(String(hots)),
  });
});

test('a prompt infers its arguments', () => {
  const args = z.strictObject({ who: z.string().max(9), how: z.enum(['a', 'b']).optional() });
  const prompt = { name: 'greet', title: 'Greet', description: 'Greets.', arguments: args };
  const greet = definePrompt({
    ...prompt,
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
  definePrompt({ ...prompt, render: ({ whom }) => String(whom) });
});
