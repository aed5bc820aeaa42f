/**
 * A span and a duration for each call of a tool, by OpenTelemetry. The names are the semantic conventions' for MCP; no
 * argument and no result is among them.
 */
import { metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AroundCall } from './call-hooks.ts';

const name = 'mcp-server';

/** Wherever the process's tracer and meter send them: nowhere, where none was set up. */
export function measureCalls(): AroundCall {
  const tracer = trace.getTracer(name);
  const duration = metrics.getMeter(name).createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'How long a call of a tool took.',
  });
  return ({ callId, tool, context }, next) => {
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool.name };
    const options = { kind: SpanKind.SERVER, attributes: { ...attributes, 'mcp.call.id': callId } };
    return tracer.startActiveSpan(`tools/call ${tool.name}`, options, async (span) => {
      const startedAt = performance.now();
      let status: string = 'cancelled';
      try {
        const finished = await next();
        status = finished.status;
        return finished;
      } catch (error) {
        if (!context.cancellation.aborted) status = 'error';
        throw error;
      } finally {
        span.setAttribute('mcp.call.status', status);
        span.setAttribute('mcp.upstream.duration', (context.timing?.upstreamMs ?? 0) / 1_000);
        if (status === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const seconds = (performance.now() - startedAt) / 1_000;
        duration.record(seconds, { ...attributes, 'mcp.call.status': status });
      }
    });
  };
}
