import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { connectClient, textOf } from '../../../test/doubles/connected-client.ts';
import { post, startServer } from '../../../test/doubles/http-server.ts';
import { callOf } from '../../../test/doubles/messages.ts';
import { createProbeService, plantedSecret } from '../../../test/probes/probe-service.ts';
import type { ToolContext } from '../../core/context/tool-context.ts';

test('[M24 M26] a handler receives the server’s name, its caller and the state created at startup', async () => {
  const { client } = await connectClient();
  const result = await client.callTool({ name: 'probe_show_context', arguments: {} });
  expect(textOf(result)).toBe('probe_mcp probe ada');
});

test('[M26] the state created at startup lives until shutdown, and is disposed of once', async () => {
  const { client, runtime, state } = await connectClient();
  await client.callTool({ name: 'probe_show_context', arguments: {} });
  expect(state.events).toEqual([]);
  await runtime.stop();
  expect(state.events).toEqual(['stopped']);
});

test('many concurrent operations can listen to one call’s signal without a warning', async () => {
  const { client } = await connectClient();
  const { url } = await startServer();
  const result = await client.callTool({ name: 'probe_listen_often', arguments: {} });
  const { messages } = await post(url, callOf(1, 'listen_often'));
  for (const each of [result, messages[0]?.['result']]) expect(textOf(each)).toBe('listens');
});

test('[M21] progress is sent only on request, only when it increases, and never after the result', async () => {
  const { client, clientEnd } = await connectClient();
  const methods: unknown[] = [];
  const { onmessage } = clientEnd;
  clientEnd.onmessage = (message, extra) => {
    methods.push('method' in message ? message.method : 'result');
    onmessage?.(message, extra);
  };
  const steps: number[] = [];
  const call = { name: 'probe_report_steps', arguments: {} };
  await client.callTool(call, undefined, {
    onprogress: ({ progress }) => {
      steps.push(progress);
    },
  });
  expect(steps).toEqual([1, 3]);
  expect(methods).toEqual(['notifications/progress', 'notifications/progress', 'result']);
  methods.length = 0;
  await client.callTool(call);
  expect(methods).toEqual(['result']);
});

test('[M21] a progress message is truncated at 1,000 characters', async () => {
  const probe = createProbeService();
  const tools = probe.tools.map((tool) => ({
    ...tool,
    async handler(_: unknown, context: ToolContext<never>) {
      await context.reportProgress(1, `${'x'.repeat(998)}😀${'y'.repeat(100_000)}`);
      return { text: 'done' };
    },
  })) as typeof probe.tools;
  const { client } = await connectClient({ service: { ...probe, tools } });
  const messages: unknown[] = [];
  const call = { name: 'probe_report_steps', arguments: {} };
  await client.callTool(call, undefined, {
    onprogress: ({ message }) => void messages.push(message),
  });
  expect(messages).toEqual([`${'x'.repeat(998)}…`]);
});

test.each([
  ['debug', ['debug', 'info', 'error']],
  ['info', ['info', 'error']],
  ['error', ['error']],
  ['critical', []],
] as const)(
  '[M22] logs are sent to the client from its chosen level: %s',
  async (level, expected) => {
    const { client } = await connectClient();
    const received: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      received.push(params);
    });
    await client.setLoggingLevel(level);
    await client.callTool({ name: 'probe_write_logs', arguments: {} });
    expect(received.map((params) => (params as { level: string }).level)).toEqual(expected);
    expect(JSON.stringify(received)).not.toContain(plantedSecret);
  },
);

test('[M22] a log message has its text, its data and the server’s name', async () => {
  const { client } = await connectClient();
  const received: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    received.push(params);
  });
  await client.callTool({ name: 'probe_write_logs', arguments: {} });
  expect(received).toEqual([
    {
      level: 'info',
      logger: 'probe_mcp',
      data: { message: 'a fact', data: { count: 2, api_key: expect.any(String) as string } },
    },
    { level: 'error', logger: 'probe_mcp', data: 'a fault, password=[redacted]' },
  ]);
});

const callId = expect.any(String) as string;

test('[M22] a tool’s log messages are also in the server’s log, with the caller and without secrets', async () => {
  const { client, logged } = await connectClient();
  await client.setLoggingLevel('emergency');
  await client.callTool({ name: 'probe_write_logs', arguments: {} });
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'debug', msg: 'a detail', data: { caller: 'ada', callId } }),
    expect.objectContaining({
      level: 'info',
      msg: 'a fact',
      data: { count: 2, api_key: '[redacted]', caller: 'ada', callId },
    }),
    expect.objectContaining({ level: 'error', msg: 'a fault, password=[redacted]' }),
    expect.objectContaining({ level: 'info', msg: 'Tool call' }),
  ]);
});

test('[M25] a tool reads a resource of its server', async () => {
  const { client } = await connectClient();
  const read = async (uri: string) =>
    textOf(await client.callTool({ name: 'probe_read_note', arguments: { text: uri } }));
  expect(await read('note://notes/tea')).toBe('The note tea.');
  expect(await read('note://other')).toBe('Error: There is no resource note://other.');
  expect(await read('note://notes/status')).toBe('Error: API request failed with status 503');
});
