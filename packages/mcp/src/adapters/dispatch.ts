/** Dispatches MCP requests to their handlers, independent of the transport. */
import { z } from 'zod';
import type { Caller } from '../core/context/tool-context.ts';
import { complete } from './methods/completion.ts';
import {
  logLevels,
  type AnyResult,
  type Call,
  type Connection,
  type Extra,
  type Handler,
  type Remembered,
} from './connection.ts';
import { readHello } from './methods/initialize.ts';
import { getPrompt, listPrompts } from './methods/prompts.ts';
import { codes, parseParams, ProtocolError } from './protocol-error.ts';
import { listResources, listResourceTemplates, readResource } from './methods/resources.ts';
import type { Runtime } from './runtime.ts';
import type { ServerCapabilities } from './sdk.ts';
import { callNamedTool, listTools } from './methods/tools.ts';

/**
 * Answers one request.
 *
 * @throws ProtocolError, whose message is written for the client; the abort reason if the caller is gone.
 */
export type Dispatch = (
  request: { readonly method: string; readonly params?: unknown },
  caller: Caller,
  extra: Extra,
) => Promise<AnyResult>;

/** Creates a dispatcher: one for each connection with state, or one for all connections without. */
export function createDispatch(runtime: Runtime, connection: Connection): Dispatch {
  const remembered: Remembered = {
    elicits: { form: false, url: false },
    revision: '',
    logLevel: 'info',
  };
  const remembers = connection.mode !== 'stateless';
  const capabilities = { ...capabilitiesOf(runtime), ...runtime.extension?.capabilities };

  const initialize: Handler = (params) => {
    const { protocolVersion, ...hello } = readHello(params);
    if (remembers) Object.assign(remembered, hello);
    const { instructions } = runtime.service;
    return {
      protocolVersion,
      capabilities,
      serverInfo: serverInfoOf(runtime),
      instructions,
    };
  };
  const setLevel: Handler = (params) => {
    const { level } = parseParams(setLevelParams, params);
    if (remembers) remembered.logLevel = level;
    return {};
  };
  const handlers = new Map<string, Handler>([
    ['initialize', initialize],
    ['logging/setLevel', setLevel],
    ['ping', () => ({})],
  ]);
  for (const [capability, method, handler] of methods) {
    if (capabilities[capability]) handlers.set(method, handler);
  }
  for (const [method, handler] of runtime.extension?.handlers ?? []) handlers.set(method, handler);

  return async ({ method, params }, caller, extra) => {
    const handler = handlers.get(method);
    if (!handler) throw new ProtocolError(codes.methodNotFound, 'Method not found');
    return handle(handler, method, params, { runtime, connection, remembered, caller, extra });
  };
}

/** Runs a handler and counts it as running until it settles. @throws As {@link Dispatch}. */
export async function handle(
  handler: Handler,
  method: string,
  params: unknown,
  call: Call,
): Promise<AnyResult> {
  const { runtime, extra } = call;
  runtime.running.begin();
  try {
    return await handler(params, call);
  } catch (error) {
    if (error instanceof ProtocolError || extra.signal.aborted) throw error;
    runtime.log.error('A request failed', { method, error });
    throw new ProtocolError(codes.internalError, 'Internal error');
  } finally {
    runtime.running.end();
  }
}

export function serverInfoOf({ service, version }: Runtime) {
  const { name, title } = service;
  return { name, title, version };
}

/** Declares only the capabilities that the service has definitions for. */
export function capabilitiesOf({ service }: Pick<Runtime, 'service'>): ServerCapabilities {
  const completes = [...service.resources, ...service.prompts].some((entry) => 'complete' in entry);
  return {
    tools: {},
    logging: {},
    ...(service.resources.length > 0 && { resources: {} }),
    ...(service.prompts.length > 0 && { prompts: {} }),
    ...(completes && { completions: {} }),
  };
}

/** The methods of both eras. */
export const methods: readonly (readonly [keyof ServerCapabilities, string, Handler])[] = [
  ['tools', 'tools/list', listTools],
  ['tools', 'tools/call', callNamedTool],
  ['resources', 'resources/list', listResources],
  ['resources', 'resources/templates/list', listResourceTemplates],
  ['resources', 'resources/read', readResource],
  ['prompts', 'prompts/list', listPrompts],
  ['prompts', 'prompts/get', getPrompt],
  ['completions', 'completion/complete', complete],
];

const setLevelParams = z.object({ level: logLevels });
