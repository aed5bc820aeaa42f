/** Connects core to the MCP SDK: one server for each connection. */
import { takeMany } from '../core/context/cancellation.ts';
import type { Caller } from '../core/context/tool-context.ts';
import { type Connection, McpServer } from './connection.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { claimedVersion } from './modern/envelope.ts';
import type { Runtime } from './runtime.ts';

/**
 * Creates a server; connect it to a transport with `connect`. An error's message never reaches a client, except
 * that of a ProtocolError, which is written for it.
 *
 * @param modern Dispatches requests of the modern era. If omitted, they get the errors of the older era.
 */
export function createMcpServer(
  runtime: Runtime,
  connection: Connection,
  caller: Caller,
  modern?: Dispatch,
): McpServer {
  const server = new McpServer();
  // The SDK would answer `ping` in both eras, but the modern one does not have it.
  server.removeRequestHandler('ping');
  const dispatch = createDispatch(runtime, connection);
  // Handles every request, unparsed. The SDK drops an error of a cancelled call instead of sending a response.
  server.fallbackRequestHandler = async (request, extra) => {
    takeMany(extra.signal);
    const isModern = modern !== undefined && claimedVersion(request.params) !== undefined;
    // A session outlives its tokens: each request is authorized by the token that it carries.
    const own = extra.authInfo?.extra?.['caller'] as Caller | undefined;
    return await (isModern ? modern : dispatch)(request, own ?? caller, extra);
  };
  server.onerror = (error) => {
    // The SDK appends the message in question after the colon, including its arguments.
    runtime.log.debug('The SDK reported an error', { problem: error.message.split(':', 1)[0] });
  };
  return server;
}
