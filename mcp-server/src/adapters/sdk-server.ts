/** core → the MCP SDK: one server for one connection. */
import { takeMany } from '../core/context/cancellation.ts';
import type { Caller } from '../core/context/tool-context.ts';
import { type Connection, McpServer } from './connection.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { claimedVersion } from './modern/envelope.ts';
import type { Runtime } from './runtime.ts';

/**
 * Connect it to a transport with `connect`.
 *
 * @param modern Answers what says that it is of the modern era. Without it, the older one's errors do.
 *
 * No message of an Error reaches a client, except a ProtocolError's, which is written for it.
 */
export function createMcpServer(
  runtime: Runtime,
  connection: Connection,
  caller: Caller,
  modern?: Dispatch,
): McpServer {
  const server = new McpServer();
  // Its own answer would come in either era, and the modern one has no ping.
  server.removeRequestHandler('ping');
  const dispatch = createDispatch(runtime, connection);
  // Every request comes here, unparsed. What a cancelled call throws is dropped by the SDK: it is not answered.
  server.fallbackRequestHandler = async (request, extra) => {
    takeMany(extra.signal);
    const isModern = modern !== undefined && claimedVersion(request.params) !== undefined;
    // A session lasts longer than a token: what its later requests may do, their own tokens say.
    const own = extra.authInfo?.extra?.['caller'] as Caller | undefined;
    return await (isModern ? modern : dispatch)(request, own ?? caller, extra);
  };
  server.onerror = (error) => {
    // After the colon the SDK puts the message at fault, arguments and all.
    runtime.log.debug('A message went astray', { problem: error.message.split(':', 1)[0] });
  };
  return server;
}
