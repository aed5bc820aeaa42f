import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { registered, searchWith as tool } from '../../../test/doubles/search-tool.ts';
import { DefinitionError } from './conventions.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { responseFormat } from '../result/format.ts';
import { limit, offset } from '../result/pagination.ts';
import { createRegistry } from './registry/registry.ts';
import { verbatim } from './verbatim.ts';

const { query } = tool().input.shape;

/** Returns a tool with this input field in addition to the required ones. */
function withField(field: z.ZodType): ToolDefinition {
  return tool({
    input: z.strictObject({ field, limit, offset, response_format: responseFormat }),
  });
}

function refusalOf(tools: ToolDefinition[], name = 'example_mcp'): string {
  try {
    createRegistry({ name, tools });
  } catch (error) {
    if (error instanceof DefinitionError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('names', () => {
  test.each(['example_get_ipv4_address', 'example_read_oauth2_token', 'example_list_2026_events'])(
    '[M02] %s is a valid tool name: only the server’s name must not have a number (M35)',
    (name) => {
      expect(refusalOf([tool({ name })])).toBe('accepted');
    },
  );

  test.each(['example_mcp', 's3_mcp', 'office365_mcp', 'ipv_mcp', 'example_directory_mcp'])(
    '[M01 M35] %s is a valid server name',
    (name) => {
      expect(refusalOf([], name)).toBe('accepted');
    },
  );

  test.each([
    'example',
    'mcp',
    '_mcp',
    'Example_mcp',
    'example-mcp',
    'example__mcp',
    'exämple_mcp',
  ])('[M01] %s is not a valid server name', (name) => {
    expect(refusalOf([], name)).toBe(
      `Server name "${name}" must be {service}_mcp, in lower case with underscores.`,
    );
  });

  test.each([
    'example_v2_mcp',
    'examplev2_mcp',
    'example_2_mcp',
    'example_2026_mcp',
    'example20261121_mcp',
  ])('[M35] %s contains a version or a date', (name) => {
    expect(refusalOf([], name)).toBe(`Server name "${name}" must carry no version or date.`);
  });

  test.each([
    'search_users',
    'example_search',
    'example_Search_users',
    'example-search-users',
    'other_search_users',
    'example__users',
  ])('[M02] %s is not a valid tool name', (name) => {
    expect(refusalOf([tool({ name })])).toBe(
      `Tool ${name}: its name must be example_<action>_<object>, in lower case with underscores.`,
    );
  });

  test('[M02] a long name and a duplicate name are rejected', () => {
    expect(refusalOf([tool({ name: `example_search_${'x'.repeat(36)}` })])).toContain(
      '50 characters',
    );
    expect(refusalOf([tool(), tool()])).toBe('Tool example_search_users is defined twice.');
  });
});

describe('models', () => {
  test('[M08] each of the five annotations is required', () => {
    const { annotations } = tool();
    for (const hint of Object.keys(annotations)) {
      const refusal = refusalOf([tool({ annotations: { ...annotations, [hint]: undefined } })]);
      expect(refusal).toBe(`Tool example_search_users: it must set the annotation ${hint}.`);
    }
    expect(refusalOf([tool({ annotations: { ...annotations, title: '' } })])).toContain('title');
  });

  describe('[M07] documentation', () => {
    const documented = (part: string, value: unknown) => refusalOf([tool({ [part]: value })]);

    test.each([
      ...['purpose', 'returns'].flatMap((part) =>
        [undefined, '', ' ', []].map((value) => [part, 'text', value]),
      ),
      ...['whenToUse', 'whenNotToUse'].flatMap((part) =>
        [undefined, '', [], [''], ['One.', ' ']].map((value) => [part, 'list', value]),
      ),
      ...['errors', 'examples'].flatMap((part) =>
        [undefined, 'One.', [' ']].map((value) => [part, 'list', value]),
      ),
    ] as [string, string, unknown][])('must have %s, a %s: not %j', (part, kind, value) => {
      expect(documented(part, value)).toBe(
        `Tool example_search_users: its documentation must have the ${kind} ${part}.`,
      );
    });

    test.each(['errors', 'examples'])('may have no %s of its own', (part) => {
      expect(documented(part, [])).toBe('accepted');
    });
  });

  test.each([
    ['input', z.object({ response_format: responseFormat })],
    ['input', z.looseObject({ response_format: responseFormat })],
    ['input', z.record(z.string(), z.string())],
    ['input', { response_format: responseFormat }],
    ['output', z.object({})],
  ])('[M09] an %s that is not strict is rejected', (part, model) => {
    expect(refusalOf([tool({ [part]: model })])).toBe(
      `Tool example_search_users: its ${part} must be a z.strictObject.`,
    );
  });

  test.each<[string, z.ZodType, string]>([
    ['no description', z.string().trim().max(9), 'must have a description'],
    ['no trim', z.string().max(9).describe('x'), 'must begin with z.string().trim()'],
    [
      'a late trim',
      z.string().min(2).max(9).trim().describe('x'),
      'must begin with z.string().trim()',
    ],
    ['a format without trim', z.email().describe('x'), 'must begin with z.string().trim()'],
    [
      'another overwrite',
      z.string().toLowerCase().max(9).describe('x'),
      'must begin with z.string().trim()',
    ],
    [
      'a template literal',
      z.templateLiteral(['usr_', z.string().trim().max(9)]).describe('x'),
      'must be z.string().trim().regex(…), not a template literal',
    ],
    ['no longest length', z.string().trim().describe('x'), 'must have a longest length'],
    [
      'a header that repeats it',
      z.string().trim().max(9).meta({ description: 'x', 'x-mcp-header': 'Team' }),
      'must not be repeated in a header: none is compared',
    ],
    ['no bound', z.int().describe('x'), 'must have a bound'],
    ['no bound either', z.number().describe('x'), 'must have a bound'],
    ['no type', z.unknown().describe('x'), 'must have a type'],
    ['no largest list', z.array(z.boolean()).describe('x'), 'must have a largest number of items'],
    ['an open object', z.object({}).describe('x'), 'must be a z.strictObject'],
  ])('[M09] an input field with %s is rejected', (_what, field, fault) => {
    expect(refusalOf([withField(field)])).toBe(
      `Tool example_search_users: its input field field ${fault}.`,
    );
  });

  test('[M09] a verbatim field is described as such, and needs a bound like any other', () => {
    const file = verbatim('The file.').max(9);
    for (const field of [file, file.min(1), file.optional(), file.default('')]) {
      expect(refusalOf([withField(field)])).toBe('accepted');
    }
    const listed = registered({
      input: z.strictObject({ file, limit, offset, response_format: responseFormat }),
    }).listed;
    expect(listed.inputSchema.properties.file).toEqual({
      type: 'string',
      maxLength: 9,
      description:
        'The file. Kept verbatim: blanks, tabs and line ends at either end are part of it.',
    });
    const refused = 'Tool example_search_users: its input field field';
    expect(refusalOf([withField(file.describe('The file.'))])).toBe(
      `${refused} is verbatim, which its description must say.`,
    );
    expect(refusalOf([withField(verbatim('The file.'))])).toBe(
      `${refused} must have a longest length.`,
    );
  });

  test('[M09] fields inside lists, objects, unions and defaults are checked too', () => {
    const loose = z.string().max(9);
    const inner = z.object({ a: z.boolean().describe('x') });
    const cases: z.ZodType[] = [
      z.array(loose).max(2),
      z.strictObject({ a: loose.describe('x') }),
      z.union([loose, z.boolean()]),
      loose.default(''),
      loose.optional(),
      z.array(inner).max(2),
      inner.nullable(),
    ];
    for (const field of cases) {
      expect(refusalOf([withField(field.describe('x'))])).toMatch(/ must (begin with|be a) z\./);
    }
  });

  test('[M09 M10] the contract’s example of constraints is accepted, and formats', () => {
    const fields: z.ZodType[] = [
      z.string().trim().min(1).max(100).describe('x'),
      z.int().min(0).max(1000).optional().describe('x'),
      z.array(z.string().trim().max(50)).max(10).default([]).describe('x'),
      z.string().trim().check(z.email()).describe('x'),
      z.enum(['a', 'b']).describe('x'),
      z.boolean().nullable().describe('x'),
    ];
    for (const field of fields) expect(refusalOf([withField(field)])).toBe('accepted');
  });

  test('[M05 M11 M14 M15] the format and pagination fields must be the shared ones', () => {
    const own = z.enum(['markdown', 'json']).describe('x');
    const { output } = tool();
    expect(refusalOf([tool({ input: z.strictObject({ query, limit, offset }) })])).toContain(
      'response_format: responseFormat',
    );
    expect(
      refusalOf([tool({ input: z.strictObject({ limit, offset, response_format: own }) })]),
    ).toContain('response_format: responseFormat');
    const other = z.int().min(0).max(9).default(0).describe('x');
    for (const page of [{}, { limit }, { offset }, { limit, offset: other }]) {
      const input = z.strictObject({ query, ...page, response_format: responseFormat });
      expect(refusalOf([tool({ input })])).toContain('must have limit and offset');
    }
    expect(refusalOf([tool({ output: output.omit({ has_more: true }) })])).toContain(
      "must have ...pageShape('users', …)",
    );
    expect(refusalOf([tool({ list: undefined })])).toContain('must name its list');
    expect(refusalOf([tool({ list: 'people' })])).toContain("must have ...pageShape('people', …)");
  });

  test.each(['example_list_teams', 'example_search_teams'])(
    '[M14 M15] %s without pagination is rejected',
    (name) => {
      const whole = { name, list: undefined, empty: undefined, output: z.strictObject({}) };
      expect(refusalOf([tool(whole)])).toBe(
        `Tool ${name}: it lists or searches, and must give pages: \`list\`, limit and offset in its input, ...pageShape in its output.`,
      );
      expect(refusalOf([tool({ ...whole, name: 'example_read_team' })])).toBe('accepted');
    },
  );

  test('[M27] a model that JSON Schema cannot represent is rejected', () => {
    const field = z.date().describe('x');
    expect(refusalOf([withField(field)])).toBe(
      'Tool example_search_users: a model of it cannot be written as JSON Schema.',
    );
  });
});
