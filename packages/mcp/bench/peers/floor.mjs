/** The baseline: node:http and hand-written JSON-RPC, with the same validation, upstream call and log line. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { z } from 'zod';
import { annotations, description, input, output, port, search, toolNames } from './search.mjs';

const inputSchema = z.toJSONSchema(input, { io: 'input' });
const outputSchema = z.toJSONSchema(output);
const tools = toolNames.map((name) => ({
  name,
  title: annotations.title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}));

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const startedAt = performance.now();
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    const result =
      method === 'tools/list' ? { tools } : await search(input.parse(params.arguments));
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
    if (method !== 'tools/call') return;
    const data = {
      callId: randomUUID(),
      caller: 'floor',
      tool: params.name,
      status: 'ok',
      size: body.length,
      ms: Math.round(performance.now() - startedAt),
    };
    const time = new Date().toISOString();
    process.stderr.write(`${JSON.stringify({ level: 'info', time, data, msg: 'Tool call' })}\n`);
  });
}).listen(port, '127.0.0.1');
