/** The SDK's HTTP client transport, without reconnection of streams. */
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// The SDK sets a timer to reconnect each broken stream (including one that had an error), and `close()` clears only
// the last timer: the others would fire during a later test.
const reconnectionOptions = {
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 0,
};

export function clientTransport(
  url: string | URL,
  options: StreamableHTTPClientTransportOptions = {},
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { ...options, reconnectionOptions });
}
