/** npm `fastmcp`, stateless, with the same structured output. */
import { FastMCP } from 'fastmcp';
import { annotations, description, input, output, port, search, toolNames } from '../search.mjs';

const server = new FastMCP({ name: 'example_mcp', version: '1.0.0', health: { enabled: false } });
for (const name of toolNames) {
  server.addTool({
    name,
    description,
    annotations,
    parameters: input,
    outputSchema: output,
    execute: search,
  });
}
await server.start({
  transportType: 'httpStream',
  httpStream: { port, host: '127.0.0.1', stateless: true, enableJsonResponse: true },
});
