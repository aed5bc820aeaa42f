/** Flags and settings of the program, and the program over HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { httpOptionsOf } from '../../src/command-line.ts';
import { describeSettings, parseSettings } from '../../src/env.ts';
import { upstreamProbe } from '../probes/upstream-probe.ts';
import { clientTransport } from '../doubles/client-transport.ts';
import { textOf } from '../doubles/connected-client.ts';
import { callOf } from '../doubles/messages.ts';
import { plantedSecret } from '../probes/probe-service.ts';
import { post } from '../doubles/http-server.ts';
import { listening, serve } from '../programs/served.ts';
import { start } from '../programs/started-program.ts';

test('--help and --version print their output and exit', async () => {
  const help = start(['--help']);
  expect(await help.ended).toEqual([0, null]);
  expect(help.output.stdout).toContain('--http');
  for (const name of ['PROBE_SETTING', 'LOG_LEVEL', 'MCP_TOOLS', 'REDIS_URL']) {
    expect(help.output.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  }
  const version = start(['--version']);
  expect(await version.ended).toEqual([0, null]);
  expect(version.output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  ['an unknown flag', ['--htp'], {}, /^Unknown option '--htp'/],
  ['a word', ['serve'], {}, /^Unexpected argument 'serve'/],
  ['a malformed setting', [], { MCP_PORT: plantedSecret }, /^MCP_PORT must be a whole number/],
  ["a service's malformed setting", [], { PROBE_SETTING: plantedSecret }, /^PROBE_SETTING /],
])('%s ends the program with one sentence', async (_, flags, env, message) => {
  const { ended, output } = start(flags, env);
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toMatch(message);
  expect(output.stderr.trim().split('\n')).toHaveLength(1);
  expect(output.stderr + output.stdout).not.toContain(plantedSecret);
});

/** Returns the names of the tools that a client sees. */
async function toolsServed(env: Record<string, string>) {
  const served = await serve('stdio', env);
  onTestFinished(() => served.close());
  const { tools } = await served.client.listTools();
  return { ...served, names: tools.map(({ name }) => name.replace('probe_', '')) };
}

test('--help describes every setting', () => {
  const described = describeSettings(upstreamProbe.settings);
  const [own, listed] = [
    new Set(Object.keys(parseSettings({}))),
    described.map(({ name }) => name),
  ];
  for (const name of own) expect(listed).toContain(name);
  expect(listed).toContain('PROBE_API_TOKEN');
  expect(described.filter(({ description }) => description === '')).toEqual([]);
});

test('--check starts nothing, and reports that the configuration is valid', async () => {
  const { ended, output } = start(['--check', '--http']);
  expect(await ended).toEqual([0, null]);
  expect(output).toEqual({
    stdout: expect.stringMatching(
      /^Nothing is wrong\. probe_mcp has \d+ tools, 2 resources and 2 prompts\.\n$/,
    ) as string,
    stderr: '',
  });
});

test.each([
  [
    [],
    { MCP_PORT: plantedSecret, MCP_SESSIONS: 'yes', PROBE_SETTING: plantedSecret, MCP_TOKENS: 'x' },
    [/^MCP_TOKENS is no setting/, /^MCP_PORT must/, /^MCP_SESSIONS must/, /^PROBE_SETTING /],
  ],
  [[], { MCP_TOOLS: 'none' }, [/^MCP_TOOLS names "none"/]],
  [['--http'], { MCP_HOST: '0.0.0.0' }, [/^With MCP_HOST=0\.0\.0\.0 other .* MCP_BEARER_TOKEN/]],
  [
    ['--http'],
    { MCP_ALLOWED_HOSTS: 'localhost mcp.example.com' },
    [/^With MCP_ALLOWED_HOSTS=mcp\.example\.com other machines/],
  ],
])('--check %j with %j reports every problem', async (flags, env, sentences) => {
  const { ended, output } = start(['--check', ...flags], env);
  expect(await ended).toEqual([1, null]);
  const lines = output.stderr.trim().split('\n');
  expect(lines).toHaveLength(sentences.length);
  for (const [index, sentence] of sentences.entries()) expect(lines[index]).toMatch(sentence);
  expect(output.stderr + output.stdout).not.toContain(plantedSecret);
});

test('an unknown variable that looks like a setting causes a warning', async () => {
  const { output } = await startHttp({ MCP_ALLOWED_HOST: 'mcp.example.com', MCPX: '1' });
  const warnings = output.stderr.split('\n').filter((line) => line.includes('"warn"'));
  expect(warnings.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'MCP_ALLOWED_HOST is no setting of this server.',
  ]);
});

test('MCP_READ_ONLY disables all tools that make changes', async () => {
  const { names, client } = await toolsServed({ MCP_READ_ONLY: '1' });
  expect(names).toEqual(['read_project', 'search_users']);
  const call = { name: 'probe_create_project', arguments: { name: 'Atlas' } };
  await expect(client.callTool(call)).rejects.toThrow('Unknown tool: probe_create_project');
});

test('MCP_TOOLS enables the listed tools and toolsets only', async () => {
  const { names } = await toolsServed({ MCP_TOOLS: 'projects, probe_search_users' });
  expect(names).toEqual(['create_project', 'read_project', 'search_users']);
  const both = await toolsServed({ MCP_TOOLS: 'projects', MCP_READ_ONLY: '1' });
  expect(both.names).toEqual(['read_project']);
});

test.each([
  [
    { MCP_TOOLS: 'probe_echo_text,probe_ehco' },
    /^MCP_TOOLS names "probe_ehco", which is no tool and no toolset: there are .*probe_echo_text/,
  ],
  [
    { MCP_TOOLS: 'probe_clean_up', MCP_READ_ONLY: '2' },
    /^MCP_READ_ONLY must be one of 0, 1, true, false\.\n$/,
  ],
])('%j ends the program with one sentence', async (env, message) => {
  const { ended, output } = start([], env);
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toMatch(message);
  expect(output.stderr.trim().split('\n')).toHaveLength(1);
});

test('[M29] MCP_MAX_BODY_BYTES limits a request’s body', async () => {
  const { url } = await startHttp({ MCP_MAX_BODY_BYTES: '2000' });
  const call = (length: number) => post(url, callOf(1, 'echo_text', { text: 'x'.repeat(length) }));
  expect((await call(1_500)).status).toBe(200);
  const refused = await call(2_000);
  expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('2000 bytes')]);
});

/** Starts the program and returns its URL once it listens. */
async function startHttp(env: Record<string, string> = {}) {
  const program = start(['--http'], { MCP_PORT: '0', ...env });
  return { ...program, url: await listening(program.child) };
}

async function connect(url: string, token?: string) {
  const client = new Client({ name: 'test', version: '0' });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(clientTransport(url, { requestInit }));
  return client;
}

test('[M26 M29] --http serves many clients, and on SIGTERM their calls and the lifespan end cleanly', async () => {
  const { url, child, ended, output } = await startHttp();
  const [first, second] = await Promise.all([connect(url), connect(url)]);
  const result = await first.callTool({ name: 'probe_show_context', arguments: {} });
  expect(textOf(result)).toBe('probe_mcp probe local');
  let slow: Promise<unknown> | undefined;
  await new Promise<unknown>((resolve) => {
    const call = { name: 'probe_wait_briefly', arguments: {} };
    slow = second.callTool(call, undefined, { onprogress: resolve });
  });
  child.kill('SIGTERM');
  expect(textOf(await slow)).toBe('waited');
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toContain('The lifespan has ended');
  expect(output.stdout).toBe('');
});

test('[M29 M31] settings configure the gate: a bearer token, and sessions', async () => {
  const { url, output } = await startHttp({
    MCP_BEARER_TOKEN: plantedSecret,
    MCP_SESSIONS: '1',
    LOG_LEVEL: 'debug',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  await expect(connect(url)).rejects.toThrow('Unauthorized');
  await expect(connect(url, 'another-token-altogether')).rejects.toThrow('Unauthorized');
  const client = await connect(url, plantedSecret);
  expect((client.transport as StreamableHTTPClientTransport).sessionId).toBeDefined();
  const result = await client.callTool({ name: 'probe_show_context', arguments: {} });
  expect(textOf(result)).toBe('probe_mcp probe bearer');
  await client.close();
  await expect.poll(() => output.stderr).toContain('Redis is unreachable');
  expect(output.stderr).not.toContain(plantedSecret);
});

test('[M29] a non-loopback address without authentication ends the program with one sentence', async () => {
  const { ended, output } = start(['--http'], { MCP_PORT: '0', MCP_HOST: '0.0.0.0' });
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).toMatch(/^.*MCP_BEARER_TOKEN.*\n$/);
});

test.each([
  [{ MCP_HOST: '0.0.0.0' }, /"warn".*MCP_PUBLIC_URL.*only localhost is served/],
  [{ MCP_HOST: '::', MCP_ALLOWED_HOSTS: 'mcp.example.com' }, /"warn".*MCP_PUBLIC_URL/],
])('[M29] %j causes a startup warning that MCP_PUBLIC_URL is missing', async (env, reported) => {
  const { output } = await startHttp({ ...env, MCP_BEARER_TOKEN: plantedSecret });
  expect(output.stderr).toMatch(reported);
});

test('[M29] --check prints the warnings of the start, in whole sentences', async () => {
  const env = { MCP_HOST: '0.0.0.0', MCP_BEARER_TOKEN: plantedSecret };
  const { ended, output } = start(['--check', '--http'], env);
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toBe(
    'MCP_PUBLIC_URL is not set, and MCP_HOST=0.0.0.0 is no name that clients can use. So only localhost is served: a request with any other Host gets a 403. The addresses that the server gives to clients begin with http://127.0.0.1:3333, which only this machine reaches. Set MCP_PUBLIC_URL to the origin that clients use, such as https://mcp.example.com.\n',
  );
  expect(output.stdout).toMatch(/^It can start, but see the warnings\. probe_mcp has/);
});

test('[M29] a configured public name causes no warning', async () => {
  const named = { MCP_HOST: '0.0.0.0', MCP_PUBLIC_URL: 'http://mcp.example.com:1' };
  const { output } = await startHttp({ ...named, MCP_BEARER_TOKEN: plantedSecret });
  expect(output.stderr.trim().split('\n')).toHaveLength(1);
});

test('[M29] an unhandled rejection in a tool affects no other call, and is logged', async () => {
  const { url, output, child } = await startHttp();
  const client = await connect(url);
  const forgetful = { name: 'probe_forget_promise', arguments: {} };
  expect(textOf(await client.callTool(forgetful))).toBe('forgot');
  await expect.poll(() => output.stderr).toContain('Unhandled promise rejection');
  await client.ping();
  expect(child.exitCode).toBeNull();
  expect(output.stderr).not.toContain(plantedSecret);
  for (const line of output.stderr.trim().split('\n')) JSON.parse(line);
});

test('[M29] an uncaught exception is logged like other errors, and ends the program', async () => {
  const { url, output, ended } = await startHttp();
  const client = await connect(url);
  const call = client.callTool({ name: 'probe_throw_later', arguments: {} });
  await expect(call).rejects.toThrow();
  expect(await ended).toEqual([1, null]);
  expect(output.stderr).not.toContain(plantedSecret);
  for (const line of output.stderr.trim().split('\n')) JSON.parse(line);
});

test('every setting is passed to the HTTP server [M29 M31]', () => {
  const common = {
    MCP_STATE_KEY: `${'n'.repeat(32)},${'o'.repeat(32)}`,
    MCP_HOST: '127.0.0.2',
    MCP_PORT: '8080',
    MCP_PUBLIC_URL: 'https://mcp.example.com',
    MCP_ALLOWED_HOSTS: 'other.example.com',
    MCP_ALLOWED_ORIGINS: 'https://app.example.com',
    MCP_RATE_LIMIT: '7',
    MCP_MAX_BODY_BYTES: '4096',
    MCP_SESSION_IDLE_SECONDS: '5',
    MCP_MAX_SESSIONS: '3',
  };
  const expected = {
    host: '127.0.0.2',
    port: 8080,
    publicUrl: 'https://mcp.example.com',
    allowedHosts: ['other.example.com'],
    allowedOrigins: ['https://app.example.com'],
    authentication: { kind: 'none' },
    rateLimit: { requests: 7, seconds: 60 },
    stateKeys: ['n'.repeat(32), 'o'.repeat(32)],
    sessions: undefined,
    maxBodyBytes: 4_096,
    drainMs: 10_000,
  };
  const optionsOf = (more: Record<string, string> = {}) =>
    httpOptionsOf(parseSettings({ ...common, ...more }));
  expect(optionsOf()).toEqual(expected);
  expect(optionsOf({ MCP_DRAIN_SECONDS: '120' }).drainMs).toBe(120_000);
  expect(optionsOf({ MCP_SESSIONS: '1', REDIS_URL: 'redis://localhost' })).toEqual({
    ...expected,
    rateLimit: { ...expected.rateLimit, redisUrl: 'redis://localhost' },
    sessions: { idleSeconds: 5, maxSessions: 3 },
  });
  expect(optionsOf({ MCP_BEARER_TOKEN: plantedSecret }).authentication).toEqual({
    kind: 'bearer',
    token: plantedSecret,
  });
  const [issuer, audience] = ['https://login.example.com', 'https://mcp.example.com/mcp'];
  const oauth = { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience };
  expect(optionsOf({ ...oauth, MCP_OAUTH_SCOPE: 'read' }).authentication).toEqual({
    kind: 'oauth',
    issuer,
    audience,
    scopes: ['read'],
  });
});

/** Simulates an installation with `npm install --omit=optional`. */
function withoutIoredis(): string {
  const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  const hook = data(`export async function resolve(name, context, next) {
    if (name !== 'ioredis') return next(name, context);
    throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  }`);
  return `--import=${data(`import { register } from 'node:module'; register(${JSON.stringify(hook)});`)}`;
}

test('[M29] Redis’s client is required only with REDIS_URL', async () => {
  const without = { NODE_OPTIONS: withoutIoredis() };
  const { url, child, ended } = await startHttp(without);
  expect((await post(url, callOf(1, 'echo_text', { text: 'x' }))).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  const redis = { ...without, MCP_PORT: '0', REDIS_URL: 'redis://127.0.0.1:1' };
  const refused = start(['--http'], redis);
  expect(await refused.ended).toEqual([1, null]);
  expect(refused.output.stderr).toBe(
    'REDIS_URL needs the package ioredis, which is not installed.\n',
  );
});

test('a service that does not stop, and handles that it leaves open, do not delay the exit beyond the limit', async () => {
  const { child, send, ended, output } = start([], {
    LOG_LEVEL: 'silent',
    PROBE_SETTING: 'lasting',
  });
  send(callOf(1, 'throw_error', { text: 'unexpected' }));
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(output.stdout).toContain('RangeError');
  // No logs at this level.
  expect(output.stderr).toBe('The lifespan has ended\n');
});

test('[M29] a signal during the startup takes effect once the server listens', async () => {
  const { ended, output } = start(['--http'], { MCP_PORT: '0', PROBE_SETTING: 'hasty' });
  expect(await ended).toEqual([0, null]);
  expect(output.stderr).toContain('The lifespan has ended');
});

test('[M29] a port in use ends the program with one sentence', async () => {
  const { url } = await startHttp();
  const { ended, output } = start(['--http'], { MCP_PORT: new URL(url).port });
  expect(await ended).toEqual([1, null]);
  expect(output.stderr.trim().split('\n')).toHaveLength(1);
  expect(output.stderr).not.toMatch(/\s+at /);
});
