/**
 * OpenTelemetry span and duration metric for each tool call, with the names of the semantic conventions for MCP.
 * Arguments and results are not recorded.
 */
import {
  context as ambient,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { CallContext } from '../context/context.ts';
import type { AroundCall } from './call-hooks.ts';

const name = 'mcp-server';

/** The boundaries that the conventions specify, in seconds. The SDK's defaults are meant for milliseconds. */
const explicitBucketBoundaries = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 30, 60, 120, 300],
];

/** Uses the global tracer and meter, which are no-ops unless the process has registered an SDK. */
export function measureCalls(): AroundCall {
  const tracer = trace.getTracer(name);
  const duration = metrics.getMeter(name).createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'How long a call of a tool took.',
    advice: { explicitBucketBoundaries },
  });
  return ({ callId, tool, context }, next) => {
    const attributes = {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
    };
    const options = { kind: SpanKind.SERVER, attributes: { ...attributes, 'mcp.call.id': callId } };
    // A client that traces sends its `traceparent` in the request's `_meta` (SEP-414).
    const parent = propagation.extract(ambient.active(), CallContext.requestOf(context)?._meta);
    return tracer.startActiveSpan(`tools/call ${tool.name}`, options, parent, async (span) => {
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
        const outcome = {
          'mcp.call.status': status,
          ...(status === 'error' && { 'error.type': 'tool_error' }),
        };
        span.setAttributes(outcome);
        span.setAttribute('mcp.upstream.duration', (context.timing?.upstreamMs ?? 0) / 1_000);
        if (status === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        const seconds = (performance.now() - startedAt) / 1_000;
        duration.record(seconds, { ...attributes, ...outcome });
      }
    });
  };
}
