/** core → the MCP SDK: one server for one connection, or for all of them where nothing may be remembered. */
import {
  ClientCapabilitiesSchema,
  type JSONRPCRequest,
  LoggingLevelSchema,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { complete } from './completion.ts';
import { type Connection, type Handler, McpServer, type Remembered } from './connection.ts';
import { getPrompt, listPrompts } from './prompts.ts';
import { codes, parseParams, ProtocolError } from './protocol-error.ts';
import { agreedVersion } from './protocol-versions.ts';
import { listResources, listResourceTemplates, readResource } from './resources.ts';
import type { Runtime } from './runtime.ts';
import { callNamedTool, listTools } from './tools.ts';

/**
 * Connect it to a transport with `connect`. A `stateless` server is made once, for everybody.
 *
 * No message of an Error reaches a client, except a ProtocolError's, which is written for it.
 */
export function createMcpServer(runtime: Runtime, connection: Connection): McpServer {
  const server = new McpServer();
  const remembered: Remembered = { clientCapabilities: {}, logLevel: 'info' };
  const remembers = connection.mode !== 'stateless';
  const capabilities = capabilitiesOf(runtime);

  const initialize: Handler = (params) => {
    const hello = parseParams(initializeParams, params);
    if (remembers) remembered.clientCapabilities = hello.capabilities;
    const { name, title, instructions } = runtime.service;
    return {
      protocolVersion: agreedVersion(hello.protocolVersion),
      capabilities,
      serverInfo: { name, title, version: runtime.version },
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
  ]);
  for (const [capability, method, handler] of methods) {
    if (capabilities[capability]) handlers.set(method, handler);
  }
  for (const [method, handler] of runtime.extension?.handlers ?? []) handlers.set(method, handler);

  // The SDK's ping stays; every other request comes here, unparsed.
  server.fallbackRequestHandler = async ({ method, params }: JSONRPCRequest, extra) => {
    const handler = handlers.get(method);
    if (!handler) throw new ProtocolError(codes.methodNotFound, 'Method not found');
    try {
      return await handler(params, { runtime, connection, server, remembered, extra });
    } catch (error) {
      // What a cancelled call throws is dropped by the SDK: it is not answered.
      if (error instanceof ProtocolError || extra.signal.aborted) throw error;
      runtime.log.error('A request failed', { method, error });
      throw new ProtocolError(codes.internalError, 'Internal error');
    }
  };
  server.onerror = (error) => {
    // After the colon the SDK puts the message at fault, arguments and all.
    runtime.log.debug('A message went astray', { problem: error.message.split(':', 1)[0] });
  };
  return server;
}

/** What the service has; nothing is offered that would be empty. */
function capabilitiesOf({ service, extension }: Runtime): ServerCapabilities {
  const completes = [...service.resources, ...service.prompts].some((one) => 'complete' in one);
  return {
    tools: {},
    logging: {},
    ...(service.resources.length > 0 && { resources: {} }),
    ...(service.prompts.length > 0 && { prompts: {} }),
    ...(completes && { completions: {} }),
    ...extension?.capabilities,
  };
}

const methods: readonly (readonly [keyof ServerCapabilities, string, Handler])[] = [
  ['tools', 'tools/list', listTools],
  ['tools', 'tools/call', callNamedTool],
  ['resources', 'resources/list', listResources],
  ['resources', 'resources/templates/list', listResourceTemplates],
  ['resources', 'resources/read', readResource],
  ['prompts', 'prompts/list', listPrompts],
  ['prompts', 'prompts/get', getPrompt],
  ['completions', 'completion/complete', complete],
];

const initializeParams = z.object({
  protocolVersion: z.string(),
  capabilities: ClientCapabilitiesSchema,
});
const setLevelParams = z.object({ level: LoggingLevelSchema });
