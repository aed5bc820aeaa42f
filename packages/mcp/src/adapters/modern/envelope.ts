/** The metadata of a request of the modern era, in its `_meta` (MCP 2026-07-28, basic protocol). */
import { logLevels, type Remembered } from '../connection.ts';
import { protocolVersions } from '../methods/initialize.ts';
import { codes, echo, ProtocolError } from '../protocol-error.ts';

/** The revisions without `initialize`. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** All supported revisions, the newest first. */
export const supportedVersions: readonly string[] = [...modernVersions, ...protocolVersions];

/** The protocol's own keys in `_meta`. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the revision that a request names in its `_meta`. Undefined for a request of the older era. */
export function claimedVersion(params: Fields | undefined): unknown {
  return (params?.['_meta'] as Fields | undefined)?.[metaKeys.protocolVersion];
}

/**
 * Reads from a modern request what a connection of the older era remembers of its client.
 *
 * @throws ProtocolError: -32022 with the supported revisions for an unsupported one; -32602 with the name of an
 *   invalid field.
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
  if (logLevel !== 'none' && !logLevels.safeParse(logLevel).success)
    throw invalidMeta(metaKeys.logLevel);
  return { revision, logLevel: logLevel as Remembered['logLevel'], elicits: modesOf(capabilities) };
}

/** The error for a request that has the modern revision in its HTTP header, but no metadata in its `_meta`. */
export function missingEnvelope(): ProtocolError {
  return invalidMeta(metaKeys.protocolVersion);
}

const expected: Readonly<Record<string, string>> = {
  [metaKeys.protocolVersion]: `a revision, such as "${modernVersions[0] ?? ''}"`,
  [metaKeys.clientInfo]: 'an object with name and version',
  [metaKeys.clientCapabilities]: 'an object',
  [metaKeys.logLevel]: `one of ${logLevels.options.join(', ')}`,
};

function invalidMeta(field: string): ProtocolError {
  const message = `Invalid params: _meta.${field} must be ${expected[field] ?? 'valid'}`;
  return new ProtocolError(codes.invalidParams, message, undefined, 400);
}

/**
 * Lists the modern revisions only: the older ones require `initialize`, and a client that was offered one here
 * would send it in this form again.
 */
function unsupported(revision: string): ProtocolError {
  const supported = protocolVersions.includes(revision) ? modernVersions : supportedVersions;
  const data = { supported, requested: echo(revision) };
  return new ProtocolError(codes.unsupportedVersion, 'Unsupported protocol version', data, 400);
}

/** A capability without modes means forms, the only mode that older clients have. */
function modesOf({ elicitation }: Fields): Remembered['elicits'] {
  if (!isRecord(elicitation)) return { form: false, url: false };
  const url = elicitation['url'] !== undefined;
  return { form: elicitation['form'] !== undefined || !url, url };
}

function isImplementation(value: unknown): boolean {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
