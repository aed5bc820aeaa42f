/** core → the MCP SDK: one server for one connection. */
import { takeMany } from '../core/context/cancellation.ts';
import type { Caller } from '../core/context/tool-context.ts';
import { type Connection, McpServer } from './connection.ts';
import { createDispatch } from './dispatch.ts';
import type { Runtime } from './runtime.ts';

/**
 * Connect it to a transport with `connect`.
 *
 * No message of an Error reaches a client, except a ProtocolError's, which is written for it.
 */
export function createMcpServer(
  runtime: Runtime,
  connection: Connection,
  caller: Caller,
): McpServer {
  const server = new McpServer();
  const dispatch = createDispatch(runtime, connection);
  // The SDK's ping stays; every other request comes here, unparsed. What a cancelled call throws is
  // dropped by the SDK: it is not answered.
  server.fallbackRequestHandler = (request, extra) => {
    takeMany(extra.signal);
    return dispatch(request, caller, extra);
  };
  server.onerror = (error) => {
    // After the colon the SDK puts the message at fault, arguments and all.
    runtime.log.debug('A message went astray', { problem: error.message.split(':', 1)[0] });
  };
  return server;
}
