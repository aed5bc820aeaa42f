/** The setup that the SDK 2.x recommends: its handler, which creates an `McpServer` for each request. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { annotations, description, input, output, port, search, toolNames } from '../search.mjs';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'example_mcp', version: '1.0.0' });
  for (const name of toolNames) {
    server.registerTool(
      name,
      { description, annotations, inputSchema: input, outputSchema: output },
      search,
    );
  }
  return server;
});

createServer(toNodeHandler(handler)).listen(port, '127.0.0.1');
