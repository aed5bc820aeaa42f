/** The SDK's types that a transport needs. */
export type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
export type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  RequestMeta,
  ServerNotification,
} from '@modelcontextprotocol/sdk/types.js';
