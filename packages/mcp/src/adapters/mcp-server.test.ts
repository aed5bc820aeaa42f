import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectClient, textOf } from '../../test/doubles/connected-client.ts';
import { createProbeService } from '../../test/probes/probe-service.ts';
import { createLog } from '../core/context/log.ts';
import { createRuntime } from './runtime.ts';

test('[M04 M08] the tool list contains the registry’s own objects, with all five annotations', async () => {
  const { client, runtime } = await connectClient();
  const { tools } = await client.listTools();
  expect(tools).toEqual(runtime.registry.listResult.tools);
  expect(tools.length).toBeGreaterThan(5);
  for (const tool of tools) {
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
      'title',
    ]);
  }
});

test('a server has its name, title, version and instructions, and declares only the capabilities it needs', async () => {
  const { client } = await connectClient();
  expect(client.getServerVersion()).toEqual({
    name: 'probe_mcp',
    title: 'Probe',
    version: '1.2.3',
  });
  expect(client.getInstructions()).toBe('Probe with care.');
  expect(client.getServerCapabilities()).toEqual({
    tools: {},
    logging: {},
    resources: {},
    prompts: {},
    completions: {},
  });
});

test('a duplicate prompt or resource fails the startup with one sentence', async () => {
  const service = createProbeService();
  const { prompts, resources } = service;
  const started = (changes: Partial<typeof service>) =>
    createRuntime({
      service: { ...service, ...changes },
      version: '1.2.3',
      log: createLog({ level: 'silent' }),
    });
  await expect(started({ prompts: [...prompts, ...prompts] })).rejects.toThrow(
    /^Prompt greet is defined twice\.$/,
  );
  await expect(started({ resources: [...resources, ...resources] })).rejects.toThrow(
    /^Resource note:\/\/notes\/\{name\} is defined twice\.$/,
  );
});

/** Differs for each call. */
const _meta = { callId: expect.any(String) as string };

test('[M27] a result has text and structured data', async () => {
  const { client } = await connectClient();
  const call = { name: 'probe_echo_text', arguments: { text: ' hi ' } };
  expect(await client.callTool(call)).toEqual({
    content: [{ type: 'text', text: 'hi' }],
    structuredContent: { text: 'hi' },
    _meta,
  });
});

test.each([
  ['tool', 'Error: Ask for less.'],
  ['status', 'Error: API request failed with status 503'],
  ['missing', 'Error: Resource not found. Please check the ID is correct.'],
  ['timeout', 'Error: Request timed out. Please try again.'],
  ['unexpected', 'Error: Unexpected error occurred: RangeError'],
])(
  '[M32 M33] an error that a tool throws (%s) becomes its text, marked as an error',
  async (fault, text) => {
    const { client } = await connectClient();
    const result = await client.callTool({ name: 'probe_throw_error', arguments: { text: fault } });
    expect(result).toEqual({ content: [{ type: 'text', text }], isError: true, _meta });
  },
);

test('[M09] rejected arguments are a result, so that the model can correct them', async () => {
  const { client } = await connectClient();
  const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n]));
  for (const args of [{}, { text: '' }, { text: 'a', extra: 1 }, { text: 'a', ...keys }]) {
    const result = await client.callTool({ name: 'probe_echo_text', arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result).length).toBeLessThan(1_100);
  }
});

const loose = z.looseObject({});
const hostile = `x\u0000\n${'y'.repeat(100_000)}`;

test.each([
  ['an unknown tool', 'tools/call', { name: hostile }, -32602, /^Unknown tool: x y+…$/],
  [
    'no name of a tool',
    'tools/call',
    { arguments: {} },
    -32602,
    /^Invalid params: name: Invalid input: expected string/,
  ],
  ['an unknown prompt', 'prompts/get', { name: hostile }, -32602, /^Unknown prompt: x y+…$/],
  [
    'no argument of a prompt',
    'prompts/get',
    { name: 'greet' },
    -32602,
    /^Invalid arguments\.\n- who: Required$/,
  ],
  [
    'an unknown argument of a prompt',
    'prompts/get',
    { name: 'greet', arguments: { who: 'a', [hostile]: 'b' } },
    -32602,
    /^Invalid arguments\.\n- Unknown fields: x y+…$/,
  ],
  ['an unknown resource', 'resources/read', { uri: hostile }, -32002, /^Resource not found$/],
  [
    'no address',
    'resources/read',
    {},
    -32602,
    /^Invalid params: uri: Invalid input: expected string/,
  ],
  [
    'an unknown cursor of tools',
    'tools/list',
    { cursor: 'a' },
    -32602,
    /^Invalid params: cursor: \w/,
  ],
  [
    'an unknown cursor of prompts',
    'prompts/list',
    { cursor: 'a' },
    -32602,
    /^Invalid params: cursor: \w/,
  ],
  [
    'an unknown cursor of resources',
    'resources/list',
    { cursor: 'a' },
    -32602,
    /^Invalid params: cursor: \w/,
  ],
  [
    'an unknown cursor of templates',
    'resources/templates/list',
    { cursor: 'a' },
    -32602,
    /^Invalid params: cursor: \w/,
  ],
  [
    'an unknown reference',
    'completion/complete',
    { ref: { type: 'ref/resource', uri: hostile }, argument: { name: 'name', value: '' } },
    -32602,
    /^Unknown resource template: x y+…$/,
  ],
  [
    'an unknown level',
    'logging/setLevel',
    { level: 'loud' },
    -32602,
    /^Invalid params: level: Invalid option: expected one of "debug"/,
  ],
  ['a malformed start', 'initialize', { capabilities: 1 }, -32602, /^Invalid params: /],
  ['an unknown method', hostile, {}, -32601, /^Method not found$/],
  ['a property of every object', 'constructor', {}, -32601, /^Method not found$/],
])('%s returns a small JSON-RPC error', async (_, method, params, code, message) => {
  const { client } = await connectClient();
  const error: unknown = await client.request({ method, params }, loose).catch((e: unknown) => e);
  expect(error).toMatchObject({ code });
  const { message: text, data } = error as { message: string; data?: unknown };
  // The SDK's client prepends the code to the server's message.
  expect(text.replace(/^MCP error -?\d+: /, '')).toMatch(message);
  expect(text.length + JSON.stringify(data ?? '').length).toBeLessThan(300);
});

test('a call that requests a task is answered as a normal call', async () => {
  const { client } = await connectClient();
  const params = { name: 'probe_echo_text', arguments: { text: 'a' }, task: { ttl: 1_000 } };
  expect(await client.request({ method: 'tools/call', params }, loose)).toMatchObject({
    structuredContent: { text: 'a' },
  });
});

test('a cancelled call is aborted and gets no response', async () => {
  const { client, clientEnd, state } = await connectClient();
  const received: unknown[] = [];
  const { onmessage } = clientEnd;
  clientEnd.onmessage = (message, extra) => {
    received.push(message);
    onmessage?.(message, extra);
  };
  const cancel = new AbortController();
  const call = client.callTool({ name: 'probe_wait_long', arguments: {} }, undefined, {
    signal: cancel.signal,
  });
  await expect.poll(() => state.events).toEqual(['waiting']);
  cancel.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
  await client.ping();
  expect(received).toEqual([expect.objectContaining({ result: {} })]);
});

test('closing the connection aborts its calls', async () => {
  const { client, state } = await connectClient();
  const call = client.callTool({ name: 'probe_wait_long', arguments: {} });
  await expect.poll(() => state.events).toEqual(['waiting']);
  await client.close();
  await expect(call).rejects.toThrow();
  await expect.poll(() => state.events).toEqual(['waiting', 'aborted']);
});

test('a stateless server remembers nothing of its clients', async () => {
  const { client } = await connectClient({
    connection: { mode: 'stateless' },
    client: { capabilities: { elicitation: { form: {}, url: {} } } },
  });
  const received: string[] = [];
  client.fallbackNotificationHandler = ({ params }) => {
    received.push(String((params as { level?: string } | undefined)?.level));
    return Promise.resolve();
  };
  await client.setLoggingLevel('debug');
  await client.callTool({ name: 'probe_write_logs', arguments: {} });
  expect(received).toEqual(['info', 'error']);
  const result = await client.callTool({ name: 'probe_ask_user', arguments: { text: 'text' } });
  expect(textOf(result)).toMatch(/^Error: The user cannot be asked/);
  const secret = await client.callTool({ name: 'probe_connect_account', arguments: {} });
  expect(textOf(secret)).toContain('PROBE_API_TOKEN');
});
