/** Serves both eras at one endpoint: each request declares its era (MCP 2026-07-28, versioning). */
import {
  claimedVersion,
  missingEnvelope,
  modernVersions,
  supportedVersions,
} from '../../adapters/modern/envelope.ts';
import { echo } from '../../adapters/protocol-error.ts';
import { refusal, sendResponse } from '../gate/exchange.ts';
import { sendError, type HandleModern } from '../modern/modern.ts';
import type { Endpoint } from '../gate/endpoint.ts';
import { readIncoming } from '../messages/incoming.ts';

const unsupported = (version: string) =>
  refusal(
    400,
    `Bad Request: unsupported protocol version in MCP-Protocol-Version: "${echo(version)}" (supported versions: ${supportedVersions.join(', ')}).`,
  );

/** @param older The endpoint for requests of the older era, with sessions or without. */
export function createEras(older: Endpoint, handleModern: HandleModern): Endpoint {
  return {
    methods: older.methods,
    close: () => older.close(),
    handle(exchange) {
      const { request } = exchange;
      const incoming = request.method === 'POST' ? readIncoming(exchange.body) : undefined;
      if (incoming?.kind === 'invalid') {
        sendResponse(exchange, { status: 400, body: incoming.refusal });
        return undefined;
      }
      if (incoming?.kind === 'request' && claimedVersion(incoming.message.params) !== undefined) {
        return handleModern(exchange, incoming.message);
      }
      // The header is for later requests: `initialize` negotiates the revision by its body.
      if (incoming?.kind === 'request' && incoming.message.method === 'initialize') {
        return older.handle(exchange, incoming);
      }
      const version = request.headers['mcp-protocol-version']?.toString();
      if (version !== undefined && modernVersions.includes(version)) {
        // Must not be handled as a request of the older era, where it would have another meaning.
        if (incoming?.kind === 'request') sendError(exchange, incoming.message, missingEnvelope());
        // The modern era has no client notifications over HTTP, and a notification gets no response.
        else if (incoming) sendResponse(exchange, { status: 202 });
        else sendResponse(exchange, unsupported(version));
        return undefined;
      }
      // After `initialize`, a client sends its revision in the header. Older revisions do not have the header.
      if (version !== undefined && !supportedVersions.includes(version)) {
        sendResponse(exchange, unsupported(version));
        return undefined;
      }
      return older.handle(exchange, incoming);
    },
  };
}
