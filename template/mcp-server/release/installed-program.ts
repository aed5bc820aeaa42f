/** An installed program, used by the SDK's client over stdio and HTTP. */
import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished } from 'vitest';
import service from '../../../mcp-server/service.ts';
import { describeSettings } from '../../../packages/mcp/src/env.ts';
import { listening } from '../../../packages/mcp/test/programs/served.ts';
import { run, shellEnvironment } from './copied-folder.ts';

/** A command that starts a program. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Packs the copied folder, and installs the package in an empty folder next to it.
 *
 * @param others Further packages to install.
 * @returns The program's path, and the packed files.
 */
export async function installPackage(copy: string, others: readonly string[] = []) {
  const elsewhere = await mkdtemp(path.join(path.dirname(copy), 'installed-'));
  const packed = await run('npm', ['pack', '--json', '--pack-destination', elsewhere], copy);
  const [{ filename, files } = { filename: '', files: [] }] = JSON.parse(packed) as {
    filename: string;
    files: { path: string }[];
  }[];
  await writeFile(path.join(elsewhere, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--no-save', `./${filename}`, ...others], elsewhere);
  const [name = ''] = Object.keys(
    (
      JSON.parse(readFileSync(path.join(copy, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
        bin: Record<string, string>;
      }
    ).bin,
  );
  return {
    program: path.join(elsewhere, 'node_modules/.bin', name),
    packed: files.map((file) => file.path),
  };
}

/** The values of the service's own settings from this environment, because required ones have no default. */
const given = describeSettings(service.settings).flatMap(({ name }) => {
  const value = process.env[name];
  return value === undefined || name.startsWith('MCP_') ? [] : [[name, value] as const];
});
const environment = { ...shellEnvironment, ...Object.fromEntries(given) } as Record<string, string>;

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** Starts the program and connects a client over its pipes. */
export function overStdio({ command, args, env = {} }: Command): Promise<Client> {
  return connect(
    new StdioClientTransport({ command, args: [...args], env: { ...environment, ...env } }),
  );
}

/** Starts the program. Stopped after the test. */
export async function overHttp({ command, args, env = {} }: Command) {
  const child = spawn(command, [...args, '--http'], {
    env: { ...environment, MCP_PORT: '0', ...env },
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const url = await listening(child);
  const { MCP_BEARER_TOKEN: token } = env;
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const client = await connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  return { client, url, child, exited };
}

/** Checks its identity, lists its tools, and calls one that needs no upstream. */
export async function expectResponses(client: Client, version: string): Promise<void> {
  expect(client.getServerVersion()).toMatchObject({ version });
  const { tools } = await client.listTools();
  const [first] = tools;
  expect(first?.name).toMatch(/^[a-z\d]+_/);
  const result = await client.callTool({
    name: first?.name ?? '',
    arguments: { made_up_argument: 1 },
  });
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result.content)).toContain('made_up_argument');
}
