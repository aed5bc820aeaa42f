/** The SDK's client over HTTP. A stream that breaks is not opened again. */
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';

// The SDK sets a timer for each stream that it means to open again (one that brought an error counts
// as broken), and `close()` clears the last of them alone: the others would go off in a later test.
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
