/** The `around` hook in the real program: over each transport, with clients of either era. */
import { spawn } from 'node:child_process';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { clientTransport } from './doubles/client-transport.ts';
import { textOf } from './doubles/connected-client.ts';
import { listening } from './programs/served.ts';
import { args, command } from './programs/started-program.ts';

const info = { name: 'test', version: '0' };
const environment = { PATH: process.env['PATH'] ?? '', PROBE_SETTING: 'audited', MCP_PORT: '0' };

function modernClient(): ModernClient {
  const client = new ModernClient(info, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { value: 'Ada' },
  }));
  onTestFinished(() => client.close());
  return client;
}

function olderClient(): OlderClient {
  const client = new OlderClient(info);
  onTestFinished(() => client.close());
  return client;
}

interface Connected {
  readonly client: OlderClient | ModernClient;
  /** What the program has written to stderr so far. */
  readonly written: () => string;
}

async function overStdio(era: 'older' | 'modern'): Promise<Connected> {
  let text = '';
  const program = { command, args, env: environment, stderr: 'pipe' as const };
  const read = (transport: OlderStdio | ModernStdio) =>
    transport.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const written = () => text;
  if (era === 'older') {
    const [client, transport] = [olderClient(), new OlderStdio(program)];
    read(transport);
    await client.connect(transport);
    return { client, written };
  }
  const [client, transport] = [modernClient(), new ModernStdio(program)];
  read(transport);
  await client.connect(transport);
  return { client, written };
}

async function overHttp(
  era: 'older' | 'modern',
  more: Readonly<Record<string, string>> = {},
): Promise<Connected> {
  let text = '';
  const child = spawn(command, [...args, '--http'], { env: { ...environment, ...more } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const url = await listening(child);
  const written = () => text;
  if (era === 'older') {
    const client = olderClient();
    await client.connect(clientTransport(url));
    return { client, written };
  }
  const client = modernClient();
  await client.connect(new ModernHttp(new URL(url)));
  return { client, written };
}

test.each<[string, () => Promise<Connected>]>([
  ['stdio, older', () => overStdio('older')],
  ['stdio, 2026-07-28', () => overStdio('modern')],
  ['HTTP, older', () => overHttp('older')],
  ['HTTP with sessions, older', () => overHttp('older', { MCP_SESSIONS: '1' })],
  ['HTTP, 2026-07-28', () => overHttp('modern')],
])(
  '%s: each call passes through the hook, and a rejected one is not run [M28 M29]',
  async (_, connect) => {
    const { client, written } = await connect();
    const text = await client.callTool({ name: 'probe_echo_text', arguments: { text: 'hi' } });
    expect(textOf(text)).toBe('hi');
    const refused = await client.callTool({ name: 'probe_keep_file', arguments: { file: 'a' } });
    expect(textOf(refused)).toBe('Error: Files are kept elsewhere.');
    await expect.poll(written).toContain('audit: local probe_echo_text ok\n');
    expect(written()).not.toContain('audit: local probe_keep_file');
  },
);

test('a question ends one run and the answer starts another: the hook sees each with its status [M23]', async () => {
  const { client, written } = await overHttp('modern');
  await client.callTool({ name: 'probe_ask_user', arguments: { text: 'text' } });
  await expect.poll(written).toContain('probe_ask_user ok\n');
  expect(written().match(/audit: .*/g)).toEqual([
    'audit: local probe_ask_user asks',
    'audit: local probe_ask_user ok',
  ]);
});
