/** The shipped program with OpenTelemetry's own SDK, and the data that a collector receives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, inject, onTestFinished, test } from 'vitest';
import { installPackage, overStdio } from './installed-program.ts';

const copy = inject('copiedFolder');

/** A collector for OTLP over HTTP with JSON. */
async function startCollector() {
  const received: { path: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const bodiesAt = (path: string) =>
    received
      .filter((request) => request.path === path)
      .map(({ body }) => body)
      .join('\n');
  return { url: `http://127.0.0.1:${port}`, bodiesAt };
}

test('a call is a span and a duration at the collector, in its client’s trace', async () => {
  const { program } = await installPackage(copy, ['@opentelemetry/sdk-node']);
  const collector = await startCollector();
  const client = await overStdio({
    command: program,
    args: [],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
  });
  const { tools } = await client.listTools();
  const name = tools[0]?.name ?? '';
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const { _meta } = await client.callTool({
    name,
    arguments: { made_up_argument: 'of this caller' },
    _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  // Pending data are flushed at shutdown.
  await client.close();

  const spans = () => collector.bodiesAt('/v1/traces');
  const figures = () => collector.bodiesAt('/v1/metrics');
  await expect.poll(spans).toContain(`"tools/call ${name}"`);
  await expect.poll(figures).toContain('"mcp.server.operation.duration"');
  expect(spans()).toContain(traceId);
  expect(spans()).toContain(String(_meta?.['callId']));
  expect(spans() + figures()).not.toContain('of this caller');
});
