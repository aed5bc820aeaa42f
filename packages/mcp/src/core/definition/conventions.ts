/** Checks of a service's definition at startup (M01, M02, M08, M09, M11, M14, M15, M35). */
import { z } from 'zod';
import type { StrictObject, ToolAnnotations, ToolDefinition } from './tool-definition.ts';
import { responseFormat } from '../result/format.ts';
import { jsonSchemaOf, nodesOf, type JsonSchema } from './json-schema.ts';
import { isVerbatim, saysVerbatim } from './verbatim.ts';
import { limit, offset, pageShape } from '../result/pagination.ts';

/** The definition violates a convention. The message is one sentence for the service's author. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

const snakeCase = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Matches a version or a date: `v2`, `apiv2`, `1`, `2026`, `20261121`. */
const numbered = /^v?\d+$|[a-z]v\d+$|\d{4}/;

function numberIn(name: string): string | undefined {
  return name.split('_').find((segment) => numbered.test(segment));
}

/**
 * Checks the server's name and returns the prefix of its tools' names: `example_` for `example_mcp`.
 *
 * @throws DefinitionError
 */
export function checkServerName(name: string): string {
  const service = name.replace(/_mcp$/, '');
  let fault: string | undefined;
  if (service === name || !snakeCase.test(name)) {
    fault = 'must be {service}_mcp, in lower case with underscores';
  } else if (numberIn(name) !== undefined) fault = 'must carry no version or date';
  if (fault !== undefined)
    throw new DefinitionError(`Server name ${JSON.stringify(name)} ${fault}.`);
  return `${service}_`;
}

/** @throws DefinitionError for the first duplicate name. */
export function checkOnce(kind: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new DefinitionError(`${kind} ${twice} is defined twice.`);
}

/**
 * Checks a tool. The types enforce most of this, but a service can be written in JavaScript or use casts.
 *
 * @throws DefinitionError
 */
export function checkTool(tool: ToolDefinition, prefix: string): void {
  let fault: string | undefined;
  try {
    fault =
      nameFault(tool.name, prefix) ??
      descriptionFault(tool) ??
      strictFault(tool) ??
      inputFault(tool.input) ??
      sharedFieldFault(tool) ??
      pagingFault(tool, prefix);
  } catch (cause) {
    const message = `Tool ${tool.name}: a model of it cannot be written as JSON Schema.`;
    throw new DefinitionError(message, { cause });
  }
  if (fault !== undefined) throw new DefinitionError(`Tool ${tool.name}: ${fault}.`);
}

function nameFault(name: string, prefix: string): string | undefined {
  const isWhole = name.startsWith(prefix) && name.slice(prefix.length).includes('_');
  if (!isWhole || !snakeCase.test(name)) {
    return `its name must be ${prefix}<action>_<object>, in lower case with underscores`;
  }
  // Clients prepend the server's name, and some allow 64 characters in total.
  return name.length > 50 ? 'its name must be no longer than 50 characters' : undefined;
}

const words = z.string().regex(/\S/);

/** What the types demand of a tool's texts (M07, M08). */
const described = z.object({
  annotations: z.object({
    title: z.string().min(1),
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  } satisfies Record<keyof ToolAnnotations, z.ZodType>),
  purpose: words,
  whenToUse: z.array(words).min(1),
  whenNotToUse: z.array(words).min(1),
  returns: words,
  errors: z.array(words),
  examples: z.array(words),
  /** The characters of a scope token (RFC 6749, appendix A.4). */
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)).optional(),
});

function descriptionFault(tool: ToolDefinition): string | undefined {
  const [part, name = ''] = described.safeParse(tool).error?.issues[0]?.path.map(String) ?? [];
  if (part === undefined) return undefined;
  if (part === 'annotations') return `it must set the annotation ${name}`;
  if (part === 'scopes') return 'its scopes must be names such as projects:write';
  const kind = part === 'purpose' || part === 'returns' ? 'text' : 'list';
  return `its documentation must have the ${kind} ${part}`;
}

function strictFault(tool: ToolDefinition): string | undefined {
  for (const part of ['input', 'output'] as const) {
    const model: unknown = tool[part];
    if (!(model instanceof z.ZodObject && model.def.catchall instanceof z.ZodNever)) {
      return `its ${part} must be a z.strictObject`;
    }
  }
  return undefined;
}

/** Requires every field, at any depth, to be described, bounded, and trimmed unless verbatim (M09). */
function inputFault(model: StrictObject): string | undefined {
  for (const [field, text] of stringsIn(model)) {
    if (text._zod.def.type === 'template_literal') {
      return `its input field ${field} must be z.string().trim().regex(…), not a template literal`;
    }
    if (isVerbatim(text)) {
      if (!saysVerbatim(text))
        return `its input field ${field} is verbatim, which its description must say`;
    } else if (!trimsFirst(text))
      return `its input field ${field} must begin with z.string().trim()`;
  }
  for (const [path, node] of nodesOf(jsonSchemaOf(model, 'input'))) {
    const fault = nodeFault(node);
    if (fault !== undefined) return `its input field ${path} ${fault}`;
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      const isDescribed = typeof field === 'object' && Boolean(field.description);
      if (!isDescribed) return `its input field ${name} must have a description`;
    }
  }
  return undefined;
}

function stringsIn(model: StrictObject): Map<string, z.core.$ZodType> {
  const strings = new Map<string, z.core.$ZodType>();
  z.toJSONSchema(model, {
    io: 'input',
    // Called for each step of a chain such as `z.string().trim().min(2)`; the last call for a path has the complete
    // schema.
    override({ zodSchema, path }) {
      const field = path.filter((step) => step !== 'properties').join('.');
      const { type } = zodSchema._zod.def;
      if (type === 'string' || type === 'template_literal') strings.set(field, zodSchema);
    },
  });
  return strings;
}

/** Trimming must come before the length checks; otherwise white space counts as text. */
function trimsFirst(text: z.core.$ZodType): boolean {
  const { checks } = text._zod.def as z.core.$ZodStringDef;
  const first = checks?.[0]?._zod.def as Partial<z.core.$ZodCheckOverwriteDef<string>> | undefined;
  return first?.tx?.(' \n\u00a0a ') === 'a';
}

function nodeFault(node: JsonSchema): string | undefined {
  if (node['x-mcp-header'] !== undefined)
    return 'must not be repeated in a header: none is compared';
  const types = [node.type].flat();
  const has = (...keywords: string[]): boolean =>
    keywords.some((keyword) => node[keyword] !== undefined);
  if (has('enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf')) return undefined;
  if (!has('type')) return 'must have a type';
  if (types.includes('object') && has('properties') && node.additionalProperties !== false) {
    return 'must be a z.strictObject';
  }
  if (types.includes('string') && !has('maxLength', 'format', 'pattern')) {
    return 'must have a longest length';
  }
  if (types.includes('array') && !has('maxItems')) return 'must have a largest number of items';
  const isNumber = types.includes('number') || types.includes('integer');
  if (isNumber && !has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum')) {
    return 'must have a bound';
  }
  return undefined;
}

/** Requires the shared schemas: `response_format` in every tool, the pagination fields in every list tool. */
function sharedFieldFault({ input, output, list, narrowBy }: ToolDefinition): string | undefined {
  const stranger = narrowBy?.find((name) => !(name in input.shape));
  if (stranger !== undefined) return `it has no input field ${stranger} to narrow by`;
  if (input.shape.response_format !== responseFormat) {
    return 'its input must have response_format: responseFormat';
  }
  if (list === undefined) {
    return 'has_more' in output.shape ? 'it must name its list, since it gives a page' : undefined;
  }
  if (input.shape.limit !== limit || input.shape.offset !== offset) {
    return 'its input must have limit and offset, since it gives a list';
  }
  const page = Object.keys(pageShape(list, z.unknown()));
  return page.every((field) => field in output.shape)
    ? undefined
    : `its output must have ...pageShape('${list}', …)`;
}

/**
 * Requires pagination in lists and searches; otherwise a result is unbounded, or truncated without notice (M14,
 * M15).
 */
function pagingFault({ name, list }: ToolDefinition, prefix: string): string | undefined {
  const [action] = name.slice(prefix.length).split('_');
  return list === undefined && (action === 'list' || action === 'search')
    ? 'it lists or searches, and must give pages: `list`, limit and offset in its input, ...pageShape in its output'
    : undefined;
}
