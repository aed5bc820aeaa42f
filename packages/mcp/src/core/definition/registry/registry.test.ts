import { expect, test } from 'vitest';
import { z } from 'zod';
import { searchWith as tool, withoutList } from '../../../../test/doubles/search-tool.ts';
import { createRegistry } from './registry.ts';

test('the list is sorted by name, and consists of the same objects each time', () => {
  const names = ['example_search_users', 'example_create_team', 'example_read_person'];
  const registry = createRegistry({
    name: 'example_mcp',
    tools: names.map((name) => tool({ name })),
  });
  expect(registry.listResult.tools.map(({ name }) => name)).toEqual([...names].sort());
  expect([...registry.tools.keys()]).toEqual([...names].sort());
  expect(registry.listResult.tools[0]).toBe(registry.tools.get('example_create_team')?.listed);
});

test('a registry is frozen', () => {
  const registry = createRegistry({ name: 'example_mcp', tools: [tool()] });
  const [listed] = registry.listResult.tools;
  const registered = registry.tools.get('example_search_users');
  const attempts = [
    () => Object.assign(registry, { listResult: {} }),
    () => (registry.listResult.tools as unknown[]).push({}),
    () => (registry.tools as Map<string, unknown>).set('x', {}),
    () => (registry.tools as Map<string, unknown>).delete('example_search_users'),
    () => {
      (registry.tools as Map<string, unknown>).clear();
    },
    () => Object.assign(listed ?? {}, { name: 'x' }),
    () => Object.assign(listed?.inputSchema.properties ?? {}, { x: {} }),
    () => Object.assign(listed?.annotations ?? {}, { readOnlyHint: false }),
    () => Object.assign(registered ?? {}, { handler: null }),
  ];
  for (const attempt of attempts) expect(attempt).toThrow(TypeError);
  expect(registry.tools.size).toBe(1);
});

test('[M04 M08 M14 M15 M27] an entry has all the fields for the wire, and no others', () => {
  const registry = createRegistry({ name: 'example_mcp', tools: [tool()] });
  const natural = { type: 'integer', minimum: 0 };
  const integer = { type: 'integer' };
  const text = { type: 'string' };
  const { description, ...rest } = registry.listResult.tools[0] ?? { description: '' };
  expect(rest).toEqual({
    name: 'example_search_users',
    title: 'Search users',
    annotations: tool().annotations,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 2, maxLength: 200, description: 'Part of a name.' },
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 20 },
          maxItems: 10,
          default: [],
          description: 'All of these.',
        },
        size: { ...natural, maximum: 1000, description: 'How many there are.' },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          default: 20,
          description: 'Items wanted.',
        },
        offset: {
          ...natural,
          default: 0,
          description: 'The next_offset of the page before.',
        },
        response_format: {
          type: 'string',
          enum: ['markdown', 'json'],
          default: 'markdown',
          description: 'json has all data.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        total: integer,
        count: integer,
        offset: integer,
        users: {
          type: 'array',
          items: {
            type: 'object',
            properties: { id: text, name: text, team: text },
            required: ['id', 'name'],
          },
        },
        has_more: { type: 'boolean' },
        next_offset: { anyOf: [integer, { type: 'null' }] },
      },
      required: ['total', 'count', 'offset', 'users', 'has_more', 'next_offset'],
    },
  });
  expect(description).toBe(
    `Finds people by name.
Returns: A page of people.
Use when: You know a name.
Do not use when: You know the id: read the person.
Errors: Else a text that begins "Error: ".
Examples: {"query":"ada"}`,
  );
});

test('[M27] a nullable field becomes `anyOf`, because strict clients reject a list of types', () => {
  const output = z.strictObject({
    one: z.string().nullable().describe('A text.'),
    many: z.array(z.number().nullable()),
    other: z.union([z.string(), z.boolean()]).nullable(),
  });
  const { listed } = withoutList({ output });
  expect(listed.outputSchema.properties).toEqual({
    one: { description: 'A text.', anyOf: [{ type: 'string' }, { type: 'null' }] },
    many: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
    other: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
  });
});
