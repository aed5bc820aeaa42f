/** The setup that the SDK 1.x recommends: an `McpServer` and a stateless transport for each request. */
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { annotations, description, input, output, port, search, toolNames } from '../search.mjs';

createServer(async (request, response) => {
  const server = new McpServer({ name: 'example_mcp', version: '1.0.0' });
  for (const name of toolNames) {
    server.registerTool(
      name,
      { description, annotations, inputSchema: input, outputSchema: output },
      search,
    );
  }
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.on('close', () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
}).listen(port, '127.0.0.1');
