/** Requests of the modern era with the headers that repeat parts of them. */

export const revision = '2026-07-28';

type Fields = Readonly<Record<string, unknown>>;

export interface ModernRequest {
  readonly message: Fields & { readonly method: string; readonly params: Fields };
  readonly headers: Record<string, string>;
}

/** The metadata of a request; by default, the client has no capabilities. */
export function metaOf(capabilities: Fields = {}, more: Fields = {}): Fields {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

/** @param meta Null for a request without metadata. */
export function modern(
  method: string,
  params: Fields = {},
  meta: Fields | null = metaOf(),
): ModernRequest {
  const name = params['name'] ?? params['uri'];
  return {
    message: { jsonrpc: '2.0', id: 7, method, params: { ...params, ...(meta && { _meta: meta }) } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  };
}

/** A call of one of the probe's tools. */
export function modernCall(tool: string, args: Fields = {}, meta?: Fields, more: Fields = {}) {
  return modern('tools/call', { name: `probe_${tool}`, arguments: args, ...more }, meta);
}
