/**
 * `gatehouse-mcp inspect`: runs the Inspector's command line with the service, over stdio and HTTP: its tools with the
 * first example of each, its resources and its prompts. A tool that requires arguments and has no example is skipped, and
 * so is what would ask its user, which the Inspector does not support. With `--call <tool> '{…}'`, it makes this call
 * alone. Not part of the tests, because the Inspector needs Node.js 22, which npx provides.
 *
 * Uses the settings of the environment. Therefore, tools that write are called once, over stdio, and destructive
 * tools are not called, unless they are named.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createRegistry, type RegisteredTool } from '../src/core/definition/registry/registry.ts';
import { readSettings } from '../src/env.ts';
import { folder, loadService } from './author-folder.ts';
import { inInspector } from './inspector.ts';

const built = path.join(folder, 'dist/main.js');
const run = promisify(execFile);

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly tools?: readonly { readonly name: string }[];
  readonly resources?: readonly { readonly uri: string }[];
  readonly resourceTemplates?: readonly { readonly uriTemplate: string }[];
  readonly contents?: readonly { readonly text?: string; readonly blob?: string }[];
  readonly messages?: readonly object[];
  readonly prompts?: readonly {
    readonly name: string;
    readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
  }[];
}

/** Runs the Inspector once with a method and its flags. */
type Inspect = (method: string, ...flags: string[]) => Promise<Result>;

const served = await loadService();
const service = served.createService(readSettings(served.settings).serviceSettings);
const { tools: definitions } = createRegistry(service);

/** Returns the environment with the Inspector and the newer Node.js on its path. */
async function inspectorEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run(...inInspector('node', '--print', 'process.env.PATH'));
  return { ...process.env, PATH: stdout.trim() };
}

/** The error text of a tool that must ask its user, with a form or for a secret. */
const cannotElicit = /^Error: (?:The user cannot be asked|.*[A-Z]+_[A-Z_]+)/;

async function driveAll(inspect: Inspect, mayWrite: boolean): Promise<string> {
  const { tools = [] } = await inspect('tools/list', '--strict');
  expectAll('tools', tools, definitions.size);
  let called = 0;
  for (const { name } of tools) {
    const tool = definitions.get(name);
    const args = tool && argumentsOf(tool, mayWrite);
    if (args === undefined) continue;
    const { text, isError } = await callOnce(inspect, name, args);
    if (text === '' || (isError && !cannotElicit.test(text))) {
      throw new Error(`${name} answered: ${text}`);
    }
    called += 1;
  }
  const { resources = [], resourceTemplates = [] } =
    service.resources.length > 0
      ? { ...(await inspect('resources/list')), ...(await inspect('resources/templates/list')) }
      : {};
  const templates = service.resources.filter(({ uri }) => uri.includes('{'));
  expectAll('resource templates', resourceTemplates, templates.length);
  for (const { uri } of resources) {
    const { contents = [] } = await inspect('resources/read', '--uri', uri);
    const isRead = contents.some(({ text = '', blob = '' }) => text + blob !== '');
    if (!isRead) throw new Error(`${uri} has no content.`);
  }
  const { prompts = [] } = service.prompts.length > 0 ? await inspect('prompts/list') : {};
  expectAll('prompts', prompts, service.prompts.length);
  for (const { name, arguments: args = [] } of prompts) {
    const given = args
      .filter(({ required }) => required)
      .map((argument) => `${argument.name}=example`);
    const flags = ['--prompt-name', name, '--prompt-args', ...given];
    const { messages = [] } = await inspect('prompts/get', ...flags);
    if (messages.length === 0) throw new Error(`${name} has no message.`);
  }
  return `${called} of ${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`;
}

/** The arguments of a tool's first example. Undefined, and said, if it cannot be called. */
function argumentsOf(tool: RegisteredTool, mayWrite: boolean): string | undefined {
  const { annotations, examples, input, name } = tool;
  let reason: string | undefined;
  if (annotations.destructiveHint) reason = 'it is destructive';
  else if (!mayWrite && !annotations.readOnlyHint) reason = 'it writes, and was called over stdio';
  else if (examples.length === 0 && !input.safeParse({}).success) {
    reason = 'it requires arguments, and has no example';
  }
  if (reason === undefined) return examples[0] ?? '{}';
  console.log(`${name} is skipped: ${reason}.`);
  return undefined;
}

async function callOnce(inspect: Inspect, name: string, args: string) {
  const flags = ['--tool-name', name, '--tool-args-json', args];
  const { content, isError = false } = await inspect('tools/call', ...flags);
  return { text: content?.[0]?.text ?? '', isError };
}

/** @throws Error if the list is missing something that the service defines. */
function expectAll(what: string, listed: readonly unknown[], count: number): void {
  if (listed.length !== count) {
    throw new Error(`${listed.length} of ${count} ${what} are listed.`);
  }
}

/** The Inspector's exit code for a result with `isError`, which it prints as well. */
const toolErrorStatus = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { call: { type: 'string' } },
});

await import('./build.ts');
const directory = await mkdtemp(path.join(tmpdir(), 'inspect-'));
const settings = Object.fromEntries(
  Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && /^[A-Z_]+$/.test(entry[0]),
  ),
);
const http = spawn(process.execPath, [built, '--http'], {
  env: { ...process.env, MCP_PORT: '0', MCP_RATE_LIMIT: '10000' },
  stdio: ['ignore', 'ignore', 'pipe'],
});
try {
  let log = '';
  for await (const text of http.stderr.setEncoding('utf8')) {
    log += String(text);
    if (log.includes('"url":"')) break;
  }
  const url = /"url":"(http:[^"]+)"/.exec(log)?.[1];
  if (url === undefined) throw new Error(`The server did not start.\n${log}`);
  const servers = {
    stdio: { command: process.execPath, args: [built], env: settings },
    http: { type: 'http', url },
  };
  const config = path.join(directory, 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  const env = await inspectorEnvironment();
  const inspectorOf =
    (server: string): Inspect =>
    async (method, ...flags) => {
      const target = ['--cli', '--config', config, '--server', server, '--method', method];
      const all = [...target, '--format', 'json', '--quiet', ...flags];
      const { stdout } = await run('mcp-inspector', all, { env }).catch((error: unknown) => {
        const failed = error as { code: number; stdout: string; stderr: string };
        if (failed.code === toolErrorStatus && failed.stdout !== '') return failed;
        throw new Error(`${method} ${flags.join(' ')} failed.\n${failed.stderr}`);
      });
      return (JSON.parse(stdout) as { result: Result }).result;
    };
  if (values.call === undefined) {
    for (const server of Object.keys(servers)) {
      console.log(`${server}: ${await driveAll(inspectorOf(server), server === 'stdio')}`);
    }
  } else {
    console.log((await callOnce(inspectorOf('stdio'), values.call, positionals[0] ?? '{}')).text);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  http.kill('SIGTERM');
  await once(http, 'close');
  await rm(directory, { recursive: true });
}
