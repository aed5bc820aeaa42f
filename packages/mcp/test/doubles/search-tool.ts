/** The tool of the core's tests, and functions that call it without a server. */
import { z } from 'zod';
import { callTool, type ToolResult } from '../../src/core/call-tool.ts';
import { reads, tool as define } from '../../src/core/definition/tool.ts';
import type { ToolDefinition } from '../../src/core/definition/tool-definition.ts';
import { line, lines, nameWithId } from '../../src/core/result/markdown.ts';
import { page } from '../../src/core/result/pagination.ts';
import {
  createRegistry,
  type RegisteredTool,
} from '../../src/core/definition/registry/registry.ts';
import { toolContext } from '../../src/testing/tool-context-double.ts';

const user = z.strictObject({ id: z.string(), name: z.string(), team: z.string().optional() });

/** Searches a directory of configurable size. Each person takes about 60 characters, as Markdown and as JSON. */
export const search = define({
  name: 'example_search_users',
  annotations: reads('Search users'),
  input: {
    query: z.string().trim().min(2).max(200).describe('Part of a name.'),
    tags: z.array(z.string().trim().min(1).max(20)).max(10).default([]).describe('All of these.'),
    size: z.int().min(0).max(1000).optional().describe('How many there are.'),
  },
  output: page('users', user),
  purpose: 'Finds people by name.',
  whenToUse: ['You know a name.'],
  whenNotToUse: ['You know the id: read the person.'],
  returns: 'A page of people.',
  examples: [{ query: 'ada' }],
  handler(args) {
    const total = args.size ?? 3;
    const count = Math.max(0, Math.min(args.limit, total - args.offset));
    const users = Array.from({ length: count }, (_, index) => ({
      id: `u${args.offset + index}`,
      name: `Person ${'x'.repeat(20)} ${args.offset + index}`,
    }));
    return Promise.resolve({ total, users });
  },
  markdown: (page) =>
    lines(
      line`Found ${page.total}, showing ${page.count}`,
      ...page.users.map((user) => line`- ${nameWithId(user.name, user.id)}`),
    ),
  empty: (_, args) => `No users found matching '${args.query}'`,
});

/** Calls the original handler, for use in a replacement. */
export const callSearch = (...given: Parameters<typeof search.handler>): Promise<unknown> =>
  search.handler(...given);

type Changes = Partial<Record<keyof ToolDefinition, unknown>>;

/** Untyped, because the tests also cover invalid definitions. */
export function searchWith(changes: Changes = {}): ToolDefinition {
  return { ...search, ...changes } as ToolDefinition;
}

export function registered(changes: Changes = {}): RegisteredTool {
  const changed = searchWith(changes);
  const found = createRegistry({ name: 'example_mcp', tools: [changed] }).tools.get(changed.name);
  if (found === undefined) throw new Error('The tool is not in the registry');
  return found;
}

/** Returns a tool that is not a list tool. */
export function withoutList(changes: Changes): RegisteredTool {
  const handler = () => Promise.resolve({});
  return registered({
    name: 'example_read_users',
    list: undefined,
    empty: undefined,
    output: z.strictObject({}),
    handler,
    ...changes,
  });
}

const tool = registered();

export function call(
  args: unknown,
  options?: Parameters<typeof callTool>[3],
  on = tool,
): Promise<ToolResult> {
  return callTool(on, args, toolContext(), options);
}
