/** Runs the client configurations in the README, exactly as written, with the SDK's own client. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  developmentToken,
  startExampleService,
} from '../../packages/mcp/examples/directory/api/api.ts';
import { clientTransport } from '../../packages/mcp/test/doubles/client-transport.ts';
import { textOf } from '../../packages/mcp/test/doubles/connected-client.ts';
import { listening } from '../../packages/mcp/test/programs/served.ts';

const folder = new URL('../../mcp-server/', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');
const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
  bin: Readonly<Record<string, string>>;
};

interface Configuration {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly type: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The single server of each configuration. */
const [stdio, http] = [...readme.matchAll(/^```json\n(.+?)^```$/gms)].map(([, text = '']) => {
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, Configuration> };
  const [server, ...others] = Object.values(mcpServers);
  expect(others).toEqual([]);
  return server;
});

/** The README tells users to replace this path with their own, and to build first. */
const builtMain = `/absolute/path/to/mcp-server/${Object.values(manifest.bin)[0]}`;
const builtProgram = fileURLToPath(new URL('dist/main.js', folder));

/** The URL of the README's own service. A test's service uses another port, because this one may be in use. */
const readmeUrl = 'http://127.0.0.1:4010';

/** Skipped once the README names your own service, which is not available here. */
describe.skipIf(!Object.values(stdio?.env ?? {}).includes(readmeUrl))('the README', () => {
  beforeAll(() => promisify(execFile)('npm', ['run', 'build', '--silent'], { cwd: folder }));

  /** Returns the environment from the README, with a service that accepts the development token. */
  async function environment(): Promise<Record<string, string>> {
    const service = await startExampleService({ token: developmentToken });
    onTestFinished(() => service.close());
    const given = Object.entries(stdio?.env ?? {});
    return Object.fromEntries(
      given.map(([name, value]) => [name, value === readmeUrl ? service.url : value]),
    );
  }

  /** Connects, lists the tools, and calls one. */
  async function use(transport: Transport): Promise<void> {
    const client = new Client({ name: 'test', version: '0' });
    onTestFinished(() => client.close());
    await client.connect(transport);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const search = names.find((name) => name.endsWith('_search_users')) ?? '';
    const found = await client.callTool({ name: search, arguments: { query: 'ada', limit: 1 } });
    expect(textOf(found)).toMatch(/^# .*ada.*\n\n[^]*Ada/);
  }

  test('has a configuration with which a client starts the server and calls a tool [M28]', async () => {
    expect(stdio).toMatchObject({ command: 'node', args: [builtMain] });
    const { command = '', args = [] } = stdio ?? {};
    await use(
      new StdioClientTransport({
        command,
        args: args.map((arg) => (arg === builtMain ? builtProgram : arg)),
        env: await environment(),
        stderr: 'ignore',
      }),
    );
  });

  test('has a configuration with which a client calls a tool over HTTP, with its token [M29 M31]', async () => {
    const { type, url = '', headers = {} } = http ?? {};
    expect(type).toBe('http');
    const [, token = ''] = /^Bearer (.+)$/.exec(headers['Authorization'] ?? '') ?? [];
    const child = spawn(process.execPath, [builtProgram, '--http'], {
      env: { MCP_PORT: '0', MCP_BEARER_TOKEN: token, ...(await environment()) },
    });
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    });
    const address = new URL(url);
    expect(address.port).toBe('3333');
    address.port = new URL(await listening(child)).port;
    const refused = clientTransport(address);
    await expect(new Client({ name: 'test', version: '0' }).connect(refused)).rejects.toThrow();
    await use(clientTransport(address, { requestInit: { headers } }));
  });
});
