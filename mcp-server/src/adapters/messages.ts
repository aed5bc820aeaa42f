/** JSON-RPC messages as a transport reads them; and the SDK's types that a transport needs. */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { codes } from './protocol-error.ts';

export type {
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/sdk/shared/transport.js';
export type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** An error for what was no request. Without a readable id it is null (JSON-RPC 2.0, section 5). */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type ReadMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refusal: Refusal }
  /** A notification or a response that is malformed: such are never answered. */
  | { readonly ignored: true };

/** Reads one message. Never throws, and never gives back what was sent, save its id. */
export function readMessage(text: string): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { refusal: refusal(codes.parseError, 'Parse error') };
  }
  if (Array.isArray(value)) {
    return { refusal: refusal(codes.invalidRequest, 'Invalid Request: batches are not supported') };
  }
  if (typeof value !== 'object' || value === null) {
    return { refusal: refusal(codes.invalidRequest, 'Invalid Request') };
  }
  if (
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResultResponse(value) ||
    isJSONRPCErrorResponse(value)
  ) {
    return { message: value };
  }
  const isNotification = 'method' in value && !('id' in value);
  if (isNotification || 'result' in value || 'error' in value) return { ignored: true };
  const id = 'id' in value && isRequestId(value.id) ? value.id : null;
  return { refusal: refusal(codes.invalidRequest, 'Invalid Request', id) };
}

export function refusal(code: number, message: string, id: string | number | null = null): Refusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** An id is echoed; one of any length is not. */
function isRequestId(id: unknown): id is string | number {
  return Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= 200);
}
