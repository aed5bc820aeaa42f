/** A service's tools, validated and frozen. Created once, at startup. */
import { checkOnce, checkServerName, checkTool } from '../conventions.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { ToolAnnotations, ToolDefinition } from '../tool-definition.ts';
import { describeTool } from './describe.ts';
import { jsonSchemaOf, type ObjectSchema } from '../json-schema.ts';
import type { ServiceDefinition } from '../service-definition.ts';
import { countComposed } from '../../result/text-length.ts';

/** One entry of `tools/list`, as sent. Frozen. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** A tool without its specific types, which the compiler checked at the definition. */
export interface RegisteredTool extends ToolDefinition {
  readonly listed: ListedTool;
}

export interface Registry {
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** The result of `tools/list`, sorted by name. Frozen, so that a transport can cache its serialization by identity. */
  readonly listResult: { readonly tools: readonly ListedTool[] };
}

/**
 * Validates each name and model, and builds the result of `tools/list`.
 *
 * @throws DefinitionError for the first violation of a convention.
 */
export function createRegistry(service: Pick<ServiceDefinition, 'name' | 'tools'>): Registry {
  const prefix = checkServerName(service.name);
  checkOnce(
    'Tool',
    service.tools.map(({ name }) => name),
  );
  const tools = new Map<string, RegisteredTool>();
  for (const tool of [...service.tools].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    checkTool(tool, prefix);
    countComposed(tool.input);
    countComposed(tool.output);
    tools.set(tool.name, Object.freeze({ ...tool, listed: deepFreeze(listedOf(tool)) }));
  }
  const listed = Object.freeze([...tools.values()].map((tool) => tool.listed));
  return Object.freeze({ tools: sealed(tools), listResult: Object.freeze({ tools: listed }) });
}

function listedOf(tool: ToolDefinition): ListedTool {
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
  return {
    name: tool.name,
    title,
    description: describeTool(tool),
    inputSchema: jsonSchemaOf(tool.input, 'input'),
    outputSchema: jsonSchemaOf(tool.output, 'output'),
    annotations: { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
  };
}

/** Returns a map that is read-only at run time too. */
function sealed<Key, Value>(map: Map<Key, Value>): ReadonlyMap<Key, Value> {
  const refuse = (): never => {
    throw new TypeError('The registry is frozen.');
  };
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }));
}
