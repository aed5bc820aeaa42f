/** A tool's description for a model, made of its documentation and its models (M04, M07). */
import type { ToolDocumentation } from './define-tool.ts';
import type { JsonSchema, ObjectSchema } from './json-schema.ts';

/** What every tool may answer, beside its own errors. Said once a tool, so in few words. */
const sharedErrors = [
  'Invalid arguments: refused before anything is done; the text names the fields.',
  '"Error: …": not found, permission denied, rate limit, timeout, "Invalid API authentication", "API request failed with status <status>", "Unexpected error occurred: <type>".',
];

/** Purpose, arguments, result, when to use and when not, errors, examples. */
export function describeTool(
  documentation: ToolDocumentation,
  input: ObjectSchema,
  output: ObjectSchema,
): string {
  const { purpose, returns, whenToUse, whenNotToUse, errors, examples } = documentation;
  const required = new Set(input.required);
  const args = Object.entries(input.properties).map(([name, field]) => {
    const facts = [typeOf(field), ...constraintsOf(field), presence(field, required.has(name))];
    return `${name} (${facts.join(', ')}): ${field.description ?? ''}`;
  });
  return [
    purpose,
    list('Args', args),
    `Returns: ${returns}\n${typeOf(output)}`,
    list('Use when', whenToUse),
    list('Do not use when', whenNotToUse),
    list('Errors', [...errors, ...sharedErrors]),
    list('Examples', examples),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n');
}

function presence(field: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  return field.default === undefined ? 'optional' : `default ${JSON.stringify(field.default)}`;
}

/** In the words of TypeScript, which models know well: `{ id: string, team?: string }[]`. */
function typeOf(schema: JsonSchema | boolean | undefined): string {
  if (typeof schema !== 'object') return 'unknown';
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (schema.type === 'array') {
    const item = typeOf(schema.items as JsonSchema | undefined);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type === 'object') return objectTypeOf(schema);
  if (schema.type === 'string') return schema.format ?? 'string';
  return [schema.type ?? 'unknown'].flat().join(' | ');
}

function objectTypeOf({ properties, required, additionalProperties }: JsonSchema): string {
  if (!properties) return `Record<string, ${typeOf(additionalProperties)}>`;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required?.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** @param each Said of a list's items. */
function constraintsOf(field: JsonSchema, each = ''): string[] {
  const own = [
    range(field.minLength, field.maxLength, ` characters${each}`),
    range(field.minItems, field.maxItems, ` items${each}`),
    range(field.minimum, field.maximum, each),
  ].filter((words) => words !== undefined);
  const items = field.items as JsonSchema | undefined;
  return items === undefined ? own : [...own, ...constraintsOf(items, ' each')];
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`;
  if (to !== undefined) return `at most ${to}${unit}`;
  return from === undefined ? undefined : `${from}${unit} or more`;
}
