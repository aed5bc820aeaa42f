/** Calls a service's tools and resources without a transport. For tests of services. */
import type { z } from 'zod';
import { callTool, type ToolResult } from '../core/call-tool.ts';
import type { ElicitReply, InputType, ToolContext } from '../core/context/tool-context.ts';
import type { Service } from '../core/definition/service-definition.ts';
import { createRegistry } from '../core/definition/registry/registry.ts';
import { parseSettingsOf } from '../env.ts';
import { readFrom, toolContext } from './tool-context-double.ts';

export interface CallerOptions {
  readonly signal?: AbortSignal;
  readonly caller?: string;
  /** The user's answer to a question. If absent, a question fails the call. */
  readonly onElicit?: (prompt: string, type: InputType) => ElicitReply<unknown>;
  readonly onProgress?: (done: number) => void;
}

interface Recorded {
  readonly progress: Parameters<ToolContext['reportProgress']>[];
  readonly logs: [level: string, message: string, data: unknown][];
  readonly elicited: [prompt: string, type: InputType][];
}

export interface ServiceDouble<State> {
  readonly state: State;
  readonly context: (
    options?: CallerOptions,
  ) => ToolContext<State> & { readonly recorded: Recorded };
  /** Calls a tool as a client would. */
  readonly call: (
    tool: string,
    args?: Record<string, unknown>,
    options?: CallerOptions,
  ) => Promise<ToolResult & { readonly recorded: Recorded }>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the service. Its upstream can be a double from `startUpstreamDouble`.
 *
 * @param environment Its settings, as in the environment.
 */
export async function startService<State>(
  service: Service<z.ZodType, State>,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceDouble<State>> {
  const definition = service.createService(parseSettingsOf(service.settings, environment));
  const { tools } = createRegistry(definition);
  const lifespan = await definition.start();
  const { state } = lifespan;

  function context({
    signal = new AbortController().signal,
    caller = 'local',
    onElicit,
    onProgress,
  }: CallerOptions = {}) {
    const recorded: Recorded = { progress: [], logs: [], elicited: [] };
    const log = (level: string) => (message: string, data?: unknown) => {
      recorded.logs.push([level, message, data]);
      return Promise.resolve();
    };
    const made: ToolContext<State> = toolContext({
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
        recorded.elicited.push([prompt, type]);
        if (!onElicit) throw new Error(`Nobody was to be asked: ${prompt}`);
        return Promise.resolve(onElicit(prompt, type) as never);
      },
      readResource: (uri) => readFrom(definition.resources, uri, made),
    });
    return Object.assign(made, { recorded });
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
