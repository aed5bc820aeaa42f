/** The SDK's types that a transport needs. */
export type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
export type {
  JSONRPCMessage,
  RequestId,
  RequestMeta,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
