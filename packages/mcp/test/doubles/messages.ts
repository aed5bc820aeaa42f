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

/** Latin 1, an overlong form, a surrogate, a character cut short, and a byte that begins none. */
export const notUtf8 = [[0xe9], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xff]].map(
  (bytes) => Buffer.from(bytes),
);
