/** Headers in which a modern request repeats parts of its body, for intermediaries that do not read bodies. */
import type { IncomingMessage } from 'node:http';
import { claimedVersion, modernVersions } from '../../adapters/modern/envelope.ts';
import { codes, echo, ProtocolError } from '../../adapters/protocol-error.ts';
import type { IncomingRequest } from '../messages/incoming.ts';
import { textOf } from '../messages/json-text.ts';

/** By method: the parameter that `Mcp-Name` repeats. */
const named: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Requires the headers to match the body; otherwise a load balancer would have routed another request than the one
 * that is answered.
 *
 * @throws ProtocolError (-32020) that names the header.
 */
export function checkRequestHeaders(
  { headers }: IncomingMessage,
  { method, params }: IncomingRequest,
): void {
  const version = claimedVersion(params);
  const given = headers['mcp-protocol-version'];
  const wrongVersion = () => mismatch('MCP-Protocol-Version', given, version);
  if (given !== undefined && given !== version) throw wrongVersion();
  // Other revisions have no such headers. The dispatcher responds with the supported revisions.
  if (typeof version !== 'string' || !modernVersions.includes(version)) return;
  if (given === undefined) throw wrongVersion();
  if (headers['mcp-method'] !== method) {
    throw mismatch('Mcp-Method', headers['mcp-method'], method);
  }
  const field = Object.hasOwn(named, method) ? named[method] : undefined;
  if (field === undefined) return;
  const value = params?.[field];
  // A body without the parameter is rejected later, with its own error.
  if (typeof value !== 'string') return;
  if (decoded(headers['mcp-name']) !== value) {
    throw mismatch('Mcp-Name', headers['mcp-name'], value);
  }
}

function mismatch(
  header: string,
  given: string | string[] | undefined,
  expected: unknown,
): ProtocolError {
  const received = given === undefined ? 'missing' : `"${echo(String(given))}"`;
  const message = `Header mismatch: ${header} is ${received}, and the body says ${echo(JSON.stringify(expected))}`;
  return new ProtocolError(codes.headerMismatch, message, undefined, 400);
}

const base64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** Decodes a header value. Names that are not valid in a header are sent in Base64. */
function decoded(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, encoded] = base64.exec(header) ?? [];
  return encoded === undefined ? header : textOf(Buffer.from(encoded, 'base64'));
}
