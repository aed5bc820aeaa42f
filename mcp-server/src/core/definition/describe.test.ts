import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeTool } from './describe.ts';
import { jsonSchemaOf } from './json-schema.ts';

const documentation = {
  purpose: 'Reads one.',
  whenToUse: [],
  whenNotToUse: [],
  returns: 'It.',
  errors: ['None.'],
  examples: [],
};

const described = (input: z.ZodRawShape, output: z.ZodRawShape) =>
  describeTool(
    documentation,
    jsonSchemaOf(z.strictObject(input), 'input'),
    jsonSchemaOf(z.strictObject(output), 'output'),
  );

test.each<[z.ZodType, string]>([
  [z.string(), 'string'],
  [z.email(), 'email'],
  [z.int().nullable(), 'integer | null'],
  [z.array(z.array(z.string())), 'string[][]'],
  [z.array(z.union([z.string(), z.boolean()])), '(string | boolean)[]'],
  [z.array(z.enum(['a', 'b'])), '("a" | "b")[]'],
  [z.literal(5), '5'],
  [z.record(z.string(), z.number()), 'Record<string, number>'],
  [z.strictObject({ a: z.string(), b: z.boolean().optional() }), '{ a: string, b?: boolean }'],
  [z.unknown(), 'unknown'],
])('[M07] a return type is in TypeScript’s words (%#): %s', (field, type) => {
  expect(described({}, { field })).toContain(`\n{ field: ${type} }\n`);
});

test.each<[z.ZodType, string]>([
  [z.string().min(2), 'string, 2 characters or more, required'],
  [z.string().max(9).optional(), 'string, at most 9 characters, optional'],
  [z.number().min(-1).max(1).default(0), 'number, -1 to 1, default 0'],
  [z.array(z.string()).min(1).max(3), 'string[], 1 to 3 items, required'],
  [
    z.array(z.string().max(9)).max(3).default([]),
    'string[], at most 3 items, at most 9 characters each, default []',
  ],
  [z.array(z.int().min(0).max(7)).max(2), 'integer[], at most 2 items, 0 to 7 each, required'],
])('[M07] an argument has its type, its bounds and its presence (%#)', (field, facts) => {
  expect(described({ field: field.describe('What it is.') }, {})).toContain(
    `- field (${facts}): What it is.\n`,
  );
});

test('[M07] what there is nothing to say of is left out', () => {
  const text = described({}, {});
  expect(text).not.toMatch(/Args|Use when|Do not use|Examples/);
  expect(text).toMatch(/^Reads one\.\n\nReturns: It\.\n\{\}\n\nErrors:\n- None\.\n- /);
});
