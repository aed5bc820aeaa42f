/** The client of the SDK's second major version, in either era. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientOf } from './of-sdk.js';

export async function open({ command, args, url, answer }, { revision } = {}) {
  const client = new Client(
    { name: 'matrix', version: '0' },
    {
      capabilities: { elicitation: { form: {} } },
      ...(revision && { versionNegotiation: { mode: { pin: revision } } }),
    },
  );
  client.setRequestHandler('elicitation/create', answer);
  await client.connect(
    url === undefined
      ? new StdioClientTransport({ command, args, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(new URL(url)),
  );
  return clientOf(client, (params, options) => client.callTool(params, options));
}
