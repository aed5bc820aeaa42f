/** What OpenTelemetry is told of a call, and that it is loaded by its own variables alone. */
import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
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

test('a call is a span and a duration, with its tool, id and status, and nothing that was said', async () => {
  const spans = new InMemorySpanExporter();
  const figures = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const reader = new PeriodicExportingMetricReader({ exporter: figures });
  const metering = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    await Promise.all([tracing.shutdown(), metering.shutdown()]);
  });
  const { client } = await connectClient({ hooks: [measureCalls()] });
  const call = (text: unknown) => client.callTool({ name: 'probe_echo_text', arguments: { text } });
  const { _meta } = await call(plantedSecret);
  await call(7);

  const [told, refused] = spans.getFinishedSpans();
  expect(told?.name).toBe('tools/call probe_echo_text');
  expect(told?.attributes).toMatchObject({
    'gen_ai.tool.name': 'probe_echo_text',
    'mcp.call.id': _meta?.['callId'],
    'mcp.call.status': 'ok',
  });
  expect(refused?.attributes['mcp.call.status']).toBe('error');
  await metering.forceFlush();
  const [histogram] = figures.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  expect(histogram?.metrics[0]?.descriptor.name).toBe('mcp.server.operation.duration');
  expect(histogram?.metrics[0]?.dataPoints.length).toBe(2);
  const all = JSON.stringify([told?.attributes, refused?.attributes, histogram?.metrics]);
  expect(all).not.toContain(plantedSecret);
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
])('%j asks for it: %s', (env, isWanted) => {
  expect(wantsTelemetry(env)).toBe(isWanted);
});

test('where its SDK is not installed, one sentence says what to install', async () => {
  const { ended, output } = start([], { OTEL_TRACES_EXPORTER: 'otlp' });
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toBe(
    'OTEL_… variables ask for telemetry, which needs npm install @opentelemetry/sdk-node.\n',
  );
});
