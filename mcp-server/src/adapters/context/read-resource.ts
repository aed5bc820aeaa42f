/** Reads a resource by its URI: for `resources/read`, a tool or a prompt (M19, M25). */
import { contentsOf } from '../../core/context/resource-contents.ts';
import type { ResourceContents } from '../../core/context/tool-context.ts';
import type { ResourceContext } from '../../core/definition/define-service.ts';
import { ToolError } from '../../core/result/errors.ts';
import { echo } from '../protocol-error.ts';
import type { Runtime } from '../runtime.ts';

/** Reads with the first template that matches. Undefined if none does. */
export async function readContents(
  uri: string,
  runtime: Runtime,
  context: ResourceContext,
): Promise<ResourceContents[] | undefined> {
  const found = matchedResource(uri, runtime);
  if (!found) return undefined;
  const { definition, variables } = found;
  return [contentsOf(uri, definition.mimeType, await definition.read(variables, context))];
}

/** Returns the first resource whose template matches, with its variables. */
export function matchedResource(uri: string, { resources }: Runtime) {
  for (const { definition, template } of resources) {
    const variables = template.match(uri);
    if (variables) return { definition, variables };
  }
  return undefined;
}

/** Reads a resource for a tool or a prompt. @throws ToolError if it does not exist. */
export async function readKnown(
  uri: string,
  runtime: Runtime,
  context: ResourceContext,
): Promise<readonly ResourceContents[]> {
  const contents = await readContents(uri, runtime, context);
  if (!contents) throw new ToolError(`There is no resource ${echo(uri)}.`);
  return contents;
}
