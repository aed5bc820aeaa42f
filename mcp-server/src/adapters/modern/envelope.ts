/** What a request of the modern era says of itself in its `_meta` (MCP 2026-07-28, basic protocol). */
import { LoggingLevelSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Remembered } from '../connection.ts';
import { protocolVersions } from '../methods/initialize.ts';
import { codes, echo, ProtocolError } from '../protocol-error.ts';

/** The revisions without `initialize`. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** Every revision that is spoken here, the newest first. */
export const supportedVersions: readonly string[] = [...modernVersions, ...protocolVersions];

/** The protocol's own keys of a `_meta`. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** The revision that a request names in its `_meta`; undefined for a request of the older era. */
export function claimedVersion(params: Fields | undefined): unknown {
  return (params?.['_meta'] as Fields | undefined)?.[metaKeys.protocolVersion];
}

const logLevels = new Set<unknown>(LoggingLevelSchema.options);

/**
 * What a connection of the older era remembers of its client, read from a modern request.
 *
 * @throws ProtocolError: -32022 with the list for a revision that is not spoken, -32602 that names the field.
 */
export function readEnvelope(params: unknown): Remembered {
  const meta = ((params as Fields | undefined)?.['_meta'] ?? {}) as Fields;
  const revision = meta[metaKeys.protocolVersion];
  if (typeof revision !== 'string') throw invalidMeta(metaKeys.protocolVersion);
  if (!modernVersions.includes(revision)) throw unsupported(revision);
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isRecord(capabilities)) throw invalidMeta(metaKeys.clientCapabilities);
  const client = meta[metaKeys.clientInfo];
  if (client !== undefined && !isImplementation(client)) throw invalidMeta(metaKeys.clientInfo);
  const logLevel = meta[metaKeys.logLevel] ?? 'none';
  if (logLevel !== 'none' && !logLevels.has(logLevel)) throw invalidMeta(metaKeys.logLevel);
  return { revision, logLevel: logLevel as Remembered['logLevel'], asks: modesOf(capabilities) };
}

/** A request under the modern revision's header, and without what such a request carries. */
export function missingEnvelope(): ProtocolError {
  return invalidMeta(metaKeys.protocolVersion);
}

function invalidMeta(field: string): ProtocolError {
  return new ProtocolError(codes.invalidParams, `Invalid params: _meta.${field}`, undefined, 400);
}

/** An older revision begins with `initialize`: a client that named one here would name it again if it were offered. */
function unsupported(revision: string): ProtocolError {
  const supported = protocolVersions.includes(revision) ? modernVersions : supportedVersions;
  const data = { supported, requested: echo(revision) };
  return new ProtocolError(codes.unsupportedVersion, 'Unsupported protocol version', data, 400);
}

/** Without a mode named, the capability means forms: older clients know no other. */
function modesOf({ elicitation }: Fields): Remembered['asks'] {
  if (!isRecord(elicitation)) return { form: false, url: false };
  const url = elicitation['url'] !== undefined;
  return { form: elicitation['form'] !== undefined || !url, url };
}

function isImplementation(value: unknown): boolean {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
