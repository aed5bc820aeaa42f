/** A service's tools, checked, frozen and ready for the wire: made once, at the start. */
import { checkOnce, checkServerName, checkTool } from '../conventions.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { ToolAnnotations, ToolDefinition } from '../define-tool.ts';
import { describeTool } from './describe.ts';
import { jsonSchemaOf, type ObjectSchema } from '../json-schema.ts';
import type { ServiceDefinition } from '../define-service.ts';

/** One entry of `tools/list`, as it goes over the wire. Frozen. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** Each tool's own types were checked where it was defined. From here on they are not known. */
export interface RegisteredTool extends ToolDefinition {
  readonly listed: ListedTool;
}

export interface Registry {
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** Sorted by name. */
  readonly toolList: readonly ListedTool[];
  /** The same as `tools/list` answers it. Frozen: a transport that sees it again need not write it again. */
  readonly listResult: { readonly tools: readonly ListedTool[] };
}

/**
 * Checks each name and model, and makes what `tools/list` answers.
 *
 * @throws DefinitionError at the first thing that the conventions do not allow.
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
    tools.set(tool.name, Object.freeze({ ...tool, listed: deepFreeze(listedOf(tool)) }));
  }
  const toolList = Object.freeze([...tools.values()].map(({ listed }) => listed));
  const listResult = Object.freeze({ tools: toolList });
  return Object.freeze({ tools: sealed(tools), toolList, listResult });
}

function listedOf({ name, annotations, input, output, documentation }: ToolDefinition): ListedTool {
  const inputSchema = jsonSchemaOf(input, 'input');
  const outputSchema = jsonSchemaOf(output, 'output');
  const description = describeTool(documentation);
  const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
  };
}

/** A map that can only be read, at run time too. */
function sealed<Key, Value>(map: Map<Key, Value>): ReadonlyMap<Key, Value> {
  const refuse = (): never => {
    throw new TypeError('The registry is frozen.');
  };
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }));
}
