/** What HTTP's transports need of the SDK. */
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
