/** Reads a resource by its URI: for `resources/read`, a tool or a prompt (M19, M25). */
import { contentsOf, sizeOf } from '../../core/context/resource-contents.ts';
import type { ResourceContents } from '../../core/context/tool-context.ts';
import type { ResourceContext } from '../../core/definition/service-definition.ts';
import { ToolError } from '../../core/result/errors.ts';
import { codes, echo, ProtocolError } from '../protocol-error.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Reads with the first template that matches. Undefined if none does.
 *
 * @param maxBytes Limit for contents that are sent to the client. A tool can read without one: its result has limits
 *   of its own.
 * @throws ProtocolError over the limit, before anything is encoded.
 */
export async function readContents(
  uri: string,
  runtime: Runtime,
  context: ResourceContext,
  maxBytes = Infinity,
): Promise<ResourceContents[] | undefined> {
  const found = matchedResource(uri, runtime);
  if (!found) return undefined;
  const { definition, variables } = found;
  const content = await definition.read(variables, context);
  const size = sizeOf(content);
  if (size > maxBytes) {
    const text = `The resource is too large: ${size} bytes, and ${maxBytes} are the most.`;
    throw new ProtocolError(codes.internalError, text);
  }
  return [contentsOf(uri, definition.mimeType, content)];
}

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
  maxBytes?: number,
): Promise<readonly ResourceContents[]> {
  const contents = await readContents(uri, runtime, context, maxBytes);
  if (!contents) throw new ToolError(`There is no resource ${echo(uri)}.`);
  return contents;
}
