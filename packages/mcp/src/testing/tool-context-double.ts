/** A tool context for tests without a server. */
import { randomUUID } from 'node:crypto';
import { contentsOf } from '../core/context/resource-contents.ts';
import type { ResourceContents, ToolContext } from '../core/context/tool-context.ts';
import { Writes } from '../core/context/writes.ts';
import type { ResourceDefinition } from '../core/definition/service-definition.ts';
import { compileUriTemplate } from '../core/definition/uri-template.ts';
import { ToolError } from '../core/result/errors.ts';

/** Returns a context whose methods have no effect, except those that are passed in. */
export function toolContext<State = unknown>(
  given: Partial<ToolContext<State>> = {},
): ToolContext<State> {
  const nothing = (): Promise<void> => Promise.resolve();
  const { signal = new AbortController().signal } = given;
  const writes = new Writes();
  const { elicit = () => Promise.resolve({ action: 'decline' } as const) } = given;
  return {
    signal,
    cancellation: signal,
    caller: { id: 'local' },
    serverName: 'example_mcp',
    lifespanState: undefined as State,
    idempotencyKey: randomUUID(),
    reportProgress: nothing,
    reportPause: nothing,
    logDebug: nothing,
    logInfo: nothing,
    logError: nothing,
    readResource: () => Promise.resolve([]),
    ...given,
    // Checks earlier writes as a server does, because the handler would repeat them after the question.
    async elicit(prompt, inputType) {
      writes.checkQuestion();
      return elicit(prompt, inputType);
    },
    noteWrite: (idempotencyKey) => writes.note(idempotencyKey),
    get written() {
      return writes.written;
    },
  };
}

/** Reads with the first template that matches, as a server does. */
export async function readFrom<State>(
  resources: readonly ResourceDefinition<State>[],
  uri: string,
  context: ToolContext<State>,
): Promise<readonly ResourceContents[]> {
  for (const resource of resources) {
    const variables = compileUriTemplate(resource.uri).match(uri);
    if (!variables) continue;
    return [contentsOf(uri, resource.mimeType, await resource.read(variables, context))];
  }
  throw new ToolError(`There is no resource ${uri}.`);
}
