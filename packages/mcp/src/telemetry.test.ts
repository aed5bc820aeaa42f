/** The spans and metrics of a call, and that OpenTelemetry is loaded only if its own variables request it. */
import { metrics, propagation, trace } from '@opentelemetry/api';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, onTestFinished, test } from 'vitest';
import { connectClient } from '../test/doubles/connected-client.ts';
import { plantedSecret } from '../test/probes/probe-service.ts';
import { start } from '../test/programs/started-program.ts';
import { wantsTelemetry } from './env.ts';
import { measureCalls } from './adapters/calls/measure-calls.ts';

/** Registers the real SDK with in-memory exporters. */
function setUpTelemetry() {
  const spans = new InMemorySpanExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const reader = new PeriodicExportingMetricReader({ exporter: figures });
  const metering = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    propagation.disable();
    await Promise.all([tracing.shutdown(), metering.shutdown()]);
  });
  return { spans, figures, metering };
}

test('a call produces a span and a duration with its tool, id and status, and without arguments or results', async () => {
  const { spans, figures, metering } = setUpTelemetry();
  const { client } = await connectClient({ hooks: [measureCalls()] });
  const call = (text: unknown) => client.callTool({ name: 'probe_echo_text', arguments: { text } });
  const { _meta } = await call(plantedSecret);
  await call(7);

  const [recorded, refused] = spans.getFinishedSpans();
  expect(recorded?.name).toBe('tools/call probe_echo_text');
  expect(recorded?.attributes).toMatchObject({
    'gen_ai.tool.name': 'probe_echo_text',
    'mcp.call.id': _meta?.['callId'],
    'mcp.call.status': 'ok',
  });
  expect(recorded?.attributes['error.type']).toBeUndefined();
  expect(refused?.attributes).toMatchObject({
    'mcp.call.status': 'error',
    'error.type': 'tool_error',
  });
  await metering.forceFlush();
  const [histogram] = figures.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  expect(histogram?.metrics[0]?.descriptor.name).toBe('mcp.server.operation.duration');
  const points = histogram?.metrics[0]?.dataPoints ?? [];
  expect(points.length).toBe(2);
  // The buckets distinguish milliseconds from seconds.
  const { buckets } = points[0]?.value as Histogram;
  expect(buckets.boundaries).toEqual(expect.arrayContaining([0.01, 0.1, 1, 10]));
  const all = JSON.stringify([recorded?.attributes, refused?.attributes, histogram?.metrics]);
  expect(all).not.toContain(plantedSecret);
});

test('a span joins the trace that its client sends, and ignores an invalid one', async () => {
  const { spans } = setUpTelemetry();
  const { client } = await connectClient({ hooks: [measureCalls()] });
  const [traceId, clientSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  for (const _meta of [
    { traceparent: `00-${traceId}-${clientSpan}-01` },
    { traceparent: 'nonsense', baggage: 7 },
  ]) {
    const result = await client.callTool({
      name: 'probe_echo_text',
      arguments: { text: 'hi' },
      _meta,
    });
    expect(result.isError).toBeUndefined();
  }
  const [named, unnamed] = spans.getFinishedSpans();
  expect(named?.spanContext().traceId).toBe(traceId);
  expect(named?.parentSpanContext?.spanId).toBe(clientSpan);
  expect(unnamed?.spanContext().traceId).not.toBe(traceId);
  expect(unnamed?.parentSpanContext).toBeUndefined();
});

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'x' }, false],
  [{ OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_METRICS_EXPORTER: 'otlp' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' }, false],
])('%j enables telemetry: %s', (env, isWanted) => {
  expect(wantsTelemetry(env)).toBe(isWanted);
});

test('if the SDK is not installed, one sentence names the package to install', async () => {
  const { ended, output } = start([], { OTEL_TRACES_EXPORTER: 'otlp' });
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toBe(
    'OTEL_… variables ask for telemetry, which needs npm install @opentelemetry/sdk-node.\n',
  );
});
