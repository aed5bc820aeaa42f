/** JSON-RPC messages for tests that send them without a client library. */

export const initializing = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '0' },
  },
} as const;

/** A `tools/call` of the probe service. */
export const callOf = (
  id: number | string,
  tool: string,
  args: object = {},
  meta?: Readonly<Record<string, unknown>>,
) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `probe_${tool}`, arguments: args, ...(meta && { _meta: meta }) },
});
