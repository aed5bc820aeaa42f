/** What the HTTP transports need from the SDK. */
import type { IncomingMessage } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Caller } from '../core/context/tool-context.ts';

export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
export type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** Attaches the caller in the form that the SDK passes on. Never includes the token. */
export function carryCaller(request: IncomingMessage & { auth?: AuthInfo }, caller?: Caller): void {
  request.auth = { token: '', clientId: '', scopes: [], extra: { caller } };
}
