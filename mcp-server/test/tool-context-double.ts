/** A call's context for tests of tools, without a server. */
import type { ToolContext } from '../src/core/context/tool-context.ts';

/** Does nothing and asks nobody, except what is given. */
export function toolContext<State = unknown>(
  given: Partial<ToolContext<State>> = {},
): ToolContext<State> {
  const nothing = (): Promise<void> => Promise.resolve();
  const { signal = new AbortController().signal } = given;
  return {
    signal,
    cancellation: signal,
    caller: { id: 'local' },
    serverName: 'example_mcp',
    lifespanState: undefined as State,
    reportProgress: nothing,
    logDebug: nothing,
    logInfo: nothing,
    logError: nothing,
    elicit: () => Promise.resolve({ action: 'decline' }),
    readResource: () => Promise.resolve([]),
    ...given,
  };
}
