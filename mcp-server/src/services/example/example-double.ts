/** The tools and resources against a service that really runs, without a transport. For tests. */
import {
  startExampleService,
  type ExampleServiceOptions,
} from '../../../example-service/service.ts';
import { callTool, type ToolResult } from '../../core/call-tool.ts';
import type { ElicitAnswer, InputType, ToolContext } from '../../core/context/tool-context.ts';
import { createRegistry } from '../../core/definition/registry.ts';
import { createExampleService } from './service.ts';
import type { ExampleState } from './state.ts';
import { readFrom, toolContext } from '../../../test/doubles/tool-context-double.ts';

const serviceToken = 'test-token';

export interface CallerOptions {
  readonly signal?: AbortSignal;
  readonly caller?: string;
  /** What the user does when asked. Without it, asking fails the call. */
  readonly onElicit?: (prompt: string, type: InputType) => ElicitAnswer<unknown>;
  readonly onProgress?: (done: number) => void;
}

interface Recorded {
  readonly progress: Parameters<ToolContext['reportProgress']>[];
  readonly logs: [level: string, message: string, data: unknown][];
  readonly asked: [prompt: string, type: InputType][];
}

export interface ExampleDouble {
  readonly state: ExampleState;
  context(options?: CallerOptions): ToolContext<ExampleState> & { readonly recorded: Recorded };
  /** Calls a tool as a client would. */
  call(
    tool: string,
    args?: Record<string, unknown>,
    options?: CallerOptions,
  ): Promise<ToolResult & { readonly recorded: Recorded }>;
  close(): Promise<void>;
}

/** With the service made for it. */
export async function startExample(
  options: Partial<ExampleServiceOptions> = {},
): Promise<ExampleDouble & { readonly url: string }> {
  const service = await startExampleService({ token: serviceToken, exportStepMs: 1, ...options });
  const double = await againstUpstream(service.url);
  return {
    ...double,
    url: service.url,
    async close() {
      await double.close();
      await service.close();
    },
  };
}

/** With any upstream. */
export async function againstUpstream(
  baseUrl: string,
  { token = serviceToken, timeoutMs = 30_000 } = {},
): Promise<ExampleDouble> {
  const definition = createExampleService({ baseUrl, token, timeoutMs });
  const { tools } = createRegistry(definition);
  const lifespan = await definition.start();
  const { state } = lifespan;

  function context({
    signal = new AbortController().signal,
    caller = 'local',
    onElicit,
    onProgress,
  }: CallerOptions = {}) {
    const recorded: Recorded = { progress: [], logs: [], asked: [] };
    const log = (level: string) => (message: string, data?: unknown) => {
      recorded.logs.push([level, message, data]);
      return Promise.resolve();
    };
    const made: ToolContext<ExampleState> = toolContext({
      signal,
      caller: { id: caller },
      lifespanState: state,
      reportProgress(...reported) {
        recorded.progress.push(reported);
        onProgress?.(reported[0]);
        return Promise.resolve();
      },
      logDebug: log('debug'),
      logInfo: log('info'),
      logError: log('error'),
      elicit(prompt, type) {
        recorded.asked.push([prompt, type]);
        if (!onElicit) throw new Error(`Nobody was to be asked: ${prompt}`);
        return Promise.resolve(onElicit(prompt, type) as never);
      },
      readResource: (uri) => readFrom(definition.resources, uri, made),
    });
    return { ...made, recorded };
  }

  return {
    state,
    context,
    async call(name, args = {}, options = {}) {
      const tool = tools.get(name);
      if (!tool) throw new Error(`There is no tool ${name}`);
      const given = context(options);
      return { ...(await callTool(tool, args, given)), recorded: given.recorded };
    },
    close: () => lifespan.stop(),
  };
}
