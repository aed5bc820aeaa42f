/** Selects the tools that an operator enables. */
import type { ServiceDefinition } from '../service-definition.ts';

type Tools = ServiceDefinition['tools'];

export interface ToolSelection {
  /** Only tools whose `readOnlyHint` is true. */
  readonly readOnly?: boolean;
  /** Names of tools and toolsets. Empty for every tool. */
  readonly names?: readonly string[];
}

/** Returns the enabled tools. A disabled tool is neither listed nor callable, as if it were not defined. */
export function selectTools(tools: Tools, { readOnly = false, names = [] }: ToolSelection): Tools {
  const known = new Set(tools.flatMap((tool) => [tool.name, ...(tool.toolsets ?? [])]));
  const stranger = names.find((name) => !known.has(name));
  if (stranger !== undefined) {
    throw new Error(
      `MCP_TOOLS names ${JSON.stringify(stranger.slice(0, 60))}, which is no tool and no toolset: there are ${[...known].sort().join(', ')}.`,
    );
  }
  const selected = tools.filter(
    (tool) =>
      (names.length === 0 ||
        [tool.name, ...(tool.toolsets ?? [])].some((name) => names.includes(name))) &&
      (!readOnly || tool.annotations.readOnlyHint),
  );
  if (selected.length === 0 && tools.length > 0) {
    throw new Error('MCP_TOOLS and MCP_READ_ONLY leave no tool.');
  }
  return selected;
}
