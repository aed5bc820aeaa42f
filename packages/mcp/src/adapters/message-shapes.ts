/** The SDK's types that the transports need. */
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export type {
  JSONRPCMessage,
  RequestId,
  RequestMeta,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
