/** The client of the SDK's first major version; alone, or through `mcp-remote`. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import { clientOf } from './of-sdk.js';

const bridge = (url) => ({
  command: process.execPath,
  args: ['node_modules/mcp-remote/dist/proxy.js', url, '--transport', 'http-only'],
  stderr: 'inherit',
});

export async function open({ command, args, url, answer }, { bridged = false } = {}) {
  const asks = types.ElicitRequestSchema !== undefined;
  const capabilities = asks ? { elicitation: {} } : {};
  const client = new Client({ name: 'matrix', version: '0' }, { capabilities });
  if (asks) client.setRequestHandler(types.ElicitRequestSchema, answer);
  await client.connect(
    url === undefined || bridged
      ? new StdioClientTransport(bridged ? bridge(url) : { command, args, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  return clientOf(client, (params, options) => client.callTool(params, undefined, options));
}
