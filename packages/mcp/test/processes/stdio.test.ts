/** The complete program as a client starts it: as a child process over pipes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { textOf } from '../doubles/connected-client.ts';
import { callOf } from '../doubles/messages.ts';
import { plantedSecret } from '../probes/probe-service.ts';
import { args, command, start } from '../programs/started-program.ts';

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

test('[M28] a client uses the program over stdio, and closing it ends the process', async () => {
  const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  const { pid } = transport;
  expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  const result = await client.callTool({ name: 'probe_show_context', arguments: {} });
  expect(textOf(result)).toBe('probe_mcp probe local');
  expect(await client.listPrompts()).toHaveProperty('prompts');
  expect(await client.listResources()).toHaveProperty('resources');
  await client.close();
  expect(isRunning(pid ?? 0)).toBe(false);
});

test('[M26 M28] at the end of the input, pending calls are answered first, and then the lifespan ends', async () => {
  const { child, send, messages, ended, output } = start();
  send(callOf(1, 'wait_briefly'), callOf(2, 'echo_text', { text: 'a' }));
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(messages().map(({ id }) => id)).toEqual([2, 1]);
  expect(output.stderr).toContain('The lifespan has ended');
  expect(output.stderr).not.toMatch(/\s+at /);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '[M28] %s lets running calls finish, then ends the process',
  async (signal) => {
    const { child, send, messages, ended } = start();
    send(ping(1));
    await expect.poll(messages).toHaveLength(1);
    send(callOf(2, 'wait_briefly'), ping(3));
    await expect.poll(messages).toHaveLength(2);
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(messages().map(({ id }) => id)).toEqual([1, 3, 2]);
  },
);

test('[M28] a second signal ends the process immediately', async () => {
  const { child, send, messages, ended, output } = start();
  send(callOf(1, 'wait_long'), ping(2));
  await expect.poll(messages).toHaveLength(1);
  child.kill('SIGTERM');
  // Reading has stopped once this request gets no response; the first signal was handled.
  await expect.poll(() => output.stderr).toContain('signal');
  child.kill('SIGTERM');
  expect(await ended).toEqual([1, null]);
});

test('[M28] closing the output ends the process immediately', async () => {
  const { child, send, ended } = start();
  child.stdout.destroy();
  send(callOf(1, 'wait_long'), ping(2), ping(3));
  expect(await ended).toEqual([0, null]);
});

test('[M28] an unread log does not block the program', async () => {
  const { child, send, messages, ended } = start([], { LOG_LEVEL: 'debug' });
  child.stderr.destroy();
  send(callOf(1, 'write_logs'), callOf(2, 'write_logs'), ping(3));
  await expect.poll(messages).toContainEqual(expect.objectContaining({ id: 2 }));
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test('[M28] killing the parent ends the process', async () => {
  // The parent starts the program with its own pipes, prints the program's pid, and is killed during a call.
  const script = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(${JSON.stringify(`${JSON.stringify(ping(1))}\n`)});
    child.stdout.once('data', () => console.log(child.pid));
    setInterval(() => {}, 1000);`;
  const parent = spawn(command, ['-e', script]);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('[M28] output that a tool prints goes to stderr: stdout contains the protocol only', async () => {
  const { child, send, messages, ended, output } = start();
  send(callOf(1, 'print_noise'));
  child.stdin.end();
  await ended;
  expect(messages()).toEqual([expect.objectContaining({ id: 1 })]);
  expect(output.stderr).toContain('noise by console');
  expect(output.stderr).toContain('noise by stdout');
});

test('[M28] malformed lines are rejected or ignored, and the next one is read', async () => {
  const { child, send, messages, ended } = start();
  const refused = (words: string, id: unknown = null) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32600, message: `Invalid Request: ${words}.` },
  });
  const notAMessage = 'this is no JSON-RPC message';
  send(
    'not json\n',
    '\n  \r\n',
    '[1]\n',
    '"text"\n',
    'null\n',
    { jsonrpc: '1.0', id: 7, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: 'x'.repeat(10_000), method: 1 },
    { jsonrpc: '2.0', method: 5 },
    { jsonrpc: '2.0', id: 4, method: 'ping', params: [] },
    { jsonrpc: '2.0', method: 'notifications/progress', params: [] },
    { jsonrpc: '2.0', id: 1, result: 5 },
    { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } },
    { jsonrpc: '2.0', id: 99, result: {} },
    { jsonrpc: '2.0', id: 9, method: 'ping', further: 'fields' },
    { jsonrpc: '2.0', method: 'notifications/unknown' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} },
    `${'['.repeat(100_000)}\n`,
    `"${'x'.repeat(5 * 1024 * 1024)}"\n`,
    '{"jsonrpc":"2.0","id":8,',
    '"method":"ping"}\r\n',
  );
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(messages().filter(({ error }) => error)).toEqual([
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: 'Parse error: this is not JSON.' },
    },
    refused('batches are not supported'),
    refused(notAMessage),
    refused(notAMessage),
    refused(notAMessage, 7),
    refused('the id must be a whole number or a string of at most 200 characters'),
    refused(notAMessage),
    refused(notAMessage),
    refused('params must be an object, with a readable _meta', 4),
    refused('nested deeper than 100 levels'),
    refused('a message may have 4194304 bytes'),
  ]);
  expect(messages().filter(({ result }) => result)).toEqual([
    { jsonrpc: '2.0', id: 9, result: {} },
    { jsonrpc: '2.0', id: 8, result: {} },
  ]);
});

test('[M30] over stdio, a secret is passed from a loopback page to the credentials, and nowhere else', async () => {
  const transport = new StdioClientTransport({ command, args, stderr: 'pipe' });
  let logged = '';
  transport.stderr?.on('data', (text: Buffer) => (logged += text.toString()));
  const client = new Client(
    { name: 'test', version: '0' },
    { capabilities: { elicitation: { url: {} } } },
  );
  const seen: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    seen.push(params);
    const { url } = params as { url: string };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]{43}$/);
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ secret: plantedSecret }),
    });
    expect(response.status).toBe(200);
    return { action: 'accept' };
  });
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    seen.push(params);
  });
  await client.connect(transport);
  const result = await client.callTool({ name: 'probe_connect_account', arguments: {} });
  expect(textOf(result)).toBe('{"action":"accept","value":{}}');
  expect(seen).toHaveLength(2);
  await client.close();
  expect(logged + JSON.stringify([seen, result])).not.toContain(plantedSecret);
});

test('[M32] an error that a tool throws is logged, and reported to the client by its type only', async () => {
  const { child, send, messages, ended, output } = start();
  send(callOf(1, 'throw_error', { text: 'unexpected' }));
  child.stdin.end();
  await ended;
  expect(JSON.stringify(messages())).toContain('Error: Unexpected error occurred: RangeError');
  expect(output.stdout).not.toContain(plantedSecret);
  expect(output.stderr).toContain('A tool failed unexpectedly');
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
