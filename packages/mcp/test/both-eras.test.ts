/** One server and clients of both SDKs at the same time: each in its own era, transparently for the tools. */
import { spawn } from 'node:child_process';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientTransport } from './doubles/client-transport.ts';
import { listening } from './programs/served.ts';
import { args, command } from './programs/started-program.ts';

type Reply = (prompt: string, schema: object) => Record<string, string | number | boolean>;
type Client = OlderClient | ModernClient;

const info = { name: 'test', version: '0' };

function olderClient(reply: Reply): OlderClient {
  const client = new OlderClient(info, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const { message, requestedSchema } = params as { message: string; requestedSchema: object };
    return { action: 'accept', content: reply(message, requestedSchema) };
  });
  onTestFinished(() => client.close());
  return client;
}

/** @param mode `pin` uses the modern revision only; `auto` asks the server first. */
function modernClient(reply: Reply, mode: 'pin' | 'auto' = 'pin'): ModernClient {
  const client = new ModernClient(info, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: mode === 'auto' ? mode : { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const { message, requestedSchema } = params as { message: string; requestedSchema: object };
    return { action: 'accept', content: reply(message, requestedSchema) };
  });
  onTestFinished(() => client.close());
  return client;
}

/** Starts the probe program over HTTP. Stopped after the test. */
async function startProgram(environment: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, [...args, '--http'], {
    env: { PATH: process.env['PATH'], MCP_PORT: '0', ...environment },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return listening(child);
}

interface Pair {
  readonly older: OlderClient;
  readonly modern: ModernClient;
}

/** With sessions, because a client of the older era cannot be asked without them. */
async function overHttp(reply: Reply): Promise<Pair> {
  const url = await startProgram({ MCP_SESSIONS: '1' });
  const [older, modern] = [olderClient(reply), modernClient(reply)];
  await older.connect(clientTransport(url));
  await modern.connect(new ModernHttp(new URL(url)));
  return { older, modern };
}

async function overStdio(reply: Reply): Promise<Pair> {
  const [older, modern] = [olderClient(reply), modernClient(reply)];
  const program = { command, args, stderr: 'ignore' as const };
  await older.connect(new OlderStdio(program));
  await modern.connect(new ModernStdio(program));
  return { older, modern };
}

const replies: Readonly<Record<string, string | number | boolean>> = {
  text: 'Ada',
  number: 7,
  boolean: true,
  email: 'ada@example.com',
  date: '2026-11-22',
  choice: 'green',
};

describe.each([
  ['HTTP', overHttp],
  ['stdio', overStdio],
] as const)('over %s', (_, connect) => {
  const nothing: Reply = () => ({});

  /** Returns the common result of both clients, without the fields specific to an era. */
  async function both(pair: Pair, call: (client: Client) => Promise<unknown>) {
    const given = await Promise.all([call(pair.older), call(pair.modern)]);
    const ownWords = ['_meta', 'ttlMs', 'cacheScope', 'resultType'];
    const [older, modern] = given.map((result) =>
      Object.fromEntries(
        Object.entries(result as object).filter(([field]) => !ownWords.includes(field)),
      ),
    );
    expect(modern).toEqual(older);
    return modern;
  }

  test('both clients list, call, read, prompt and complete with the same results [M29]', async () => {
    const pair = await connect(nothing);
    expect(pair.modern.getProtocolEra()).toBe('modern');
    const listed = await both(pair, (client) => client.listTools());
    expect((listed?.['tools'] as unknown[]).length).toBeGreaterThan(20);
    await both(pair, (client) => client.listResourceTemplates());
    // With a cursor: without one, the newer client fetches all pages.
    await both(pair, (client) => client.listResources({ cursor: '100' }));
    await both(pair, (client) => client.listPrompts());
    const call = (name: string, given: Record<string, unknown> = {}) =>
      both(pair, (client) => client.callTool({ name, arguments: given }));
    expect(await call('probe_echo_text', { text: 'hi' })).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      structuredContent: { text: 'hi' },
    });
    expect(await call('probe_echo_text', { text: 7 })).toMatchObject({ isError: true });
    expect(await call('probe_throw_error', { text: 'status' })).toMatchObject({ isError: true });
    await call('probe_show_media');
    await call('probe_link_note');
    await both(pair, (client) => client.readResource({ uri: 'note://notes/a' }));
    await both(pair, (client) => client.readResource({ uri: 'picture://pictures/a' }));
    await both(pair, (client) => client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } }));
    const ref = { type: 'ref/resource', uri: 'note://notes/{name}' } as const;
    await both(pair, (client) => client.complete({ ref, argument: { name: 'name', value: 'n1' } }));
  });

  test.each(Object.entries(replies))(
    'the same code of a tool asks either client’s user for a %s [M23]',
    async (type, value) => {
      const prompts: string[] = [];
      const pair = await connect((prompt) => {
        prompts.push(prompt);
        return { value };
      });
      const given = await both(pair, (client) =>
        client.callTool({ name: 'probe_ask_user', arguments: { text: type } }),
      );
      const text = JSON.stringify({ action: 'accept', value });
      expect(given).toMatchObject({ structuredContent: { text } });
      expect(prompts).toEqual(['What shall it be?', 'What shall it be?']);
    },
  );

  test('progress is sent to either client on request [M21]', async () => {
    const { older, modern } = await connect(nothing);
    for (const client of [older, modern]) {
      const steps: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
      // The clients drop notifications that they read together with the result, so the tool pauses between the two.
      const params = { name: 'probe_wait_briefly', arguments: {} };
      if (client instanceof OlderClient) await client.callTool(params, undefined, { onprogress });
      else await client.callTool(params, { onprogress });
      expect(steps).toEqual([1]);
    }
  });
});

test.each(['stateless', 'with sessions'])(
  'a client that asks the server first selects the modern era: HTTP %s',
  async (mode) => {
    const url = await startProgram(mode === 'stateless' ? {} : { MCP_SESSIONS: '1' });
    const client = modernClient(() => ({}), 'auto');
    await client.connect(new ModernHttp(new URL(url)));
    expect(client.getProtocolEra()).toBe('modern');
    expect(client.getServerVersion()).toMatchObject({ name: 'probe_mcp', title: 'Probe' });
    expect(client.getInstructions()).toBe('Probe with care.');
  },
);

test('the same over stdio', async () => {
  const client = modernClient(() => ({}), 'auto');
  await client.connect(new ModernStdio({ command, args, stderr: 'ignore' }));
  expect(client.getProtocolEra()).toBe('modern');
  expect((await client.listTools()).tools.length).toBeGreaterThan(20);
});

test('the newer SDK’s client in its older era is served in that era', async () => {
  const url = await startProgram();
  const client = new ModernClient(info);
  onTestFinished(() => client.close());
  await client.connect(new ModernHttp(new URL(url)));
  expect(client.getProtocolEra()).toBe('legacy');
  const { structuredContent } = await client.callTool({
    name: 'probe_echo_text',
    arguments: { text: 'hi' },
  });
  expect(structuredContent).toEqual({ text: 'hi' });
});
