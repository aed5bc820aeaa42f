/**
 * Drives every tool, resource and prompt of the example with the Inspector's command line, over stdio and
 * HTTP, and fails on any error. Not among the tests: the Inspector needs Node 22, which npx brings along.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startExampleService } from '../example-service/service.ts';
import { build } from '../test/programs/built-programs.ts';

const inspector = '@modelcontextprotocol/inspector@2.12.0';
/** Whatever `src/main.ts` serves. */
const program = fileURLToPath(
  new URL('../.cache/programs/test/programs/example-program.js', import.meta.url),
);
const token = 'inspected-token';
const run = promisify(execFile);

interface Result {
  readonly isError?: boolean;
  readonly content?: readonly { readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly { readonly name: string }[];
  readonly resources?: readonly { readonly uri: string }[];
  readonly prompts?: readonly {
    readonly name: string;
    readonly arguments: readonly { readonly name: string }[];
  }[];
}

/** One run of the Inspector: a method, and its flags. */
type Inspect = (method: string, ...flags: string[]) => Promise<Result>;

/** The variables with which the Inspector is found, and the newer Node that it runs on. */
async function inspectorEnvironment(): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run('npx', [
    ...['--yes', '--package=node@22', '--', 'npx', '--yes', `--package=${inspector}`, '--'],
    ...['node', '--print', 'process.env.PATH'],
  ]);
  return { ...process.env, PATH: stdout.trim() };
}

/** The Inspector offers no forms and no pages: these two refuse, and say what to do instead. */
const refusals: Readonly<Record<string, RegExp>> = {
  example_connect_account: /^Error: .*EXAMPLE_API_TOKEN/,
  example_delete_project: /^Error: The user cannot be asked/,
};

async function driveAll(server: string, inspect: Inspect): Promise<string> {
  const { tools = [] } = await inspect('tools/list', '--strict');
  const projects: string[] = [];
  const argumentsOf: Readonly<Record<string, () => Record<string, unknown>>> = {
    example_search_users: () => ({ query: 'an' }),
    example_get_user_profile: () => ({ user_id: 'usr_0042' }),
    example_create_project: () => ({ name: `Inspected over ${server}`, tags: ['one'] }),
    example_delete_project: () => ({ project_id: projects[0] }),
  };
  for (const { name } of tools) {
    const args = JSON.stringify(argumentsOf[name]?.() ?? {});
    const result = await inspect('tools/call', '--tool-name', name, '--tool-args-json', args);
    const text = result.content?.[0]?.text ?? '';
    const refusal = refusals[name];
    const isAsExpected = refusal ? result.isError && refusal.test(text) : !result.isError;
    if (!isAsExpected || text === '') throw new Error(`${name} answered: ${text}`);
    if (name === 'example_create_project') projects.push(String(result.structuredContent?.['id']));
  }

  const { resources = [] } = await inspect('resources/list');
  await Promise.all(resources.map(({ uri }) => inspect('resources/read', '--uri', uri)));
  await inspect('resources/templates/list');

  const { prompts = [] } = await inspect('prompts/list');
  const answers = ['name=Ada Lovelace', 'question=Who knows the budget?'];
  for (const prompt of prompts) {
    const args = answers.filter((pair) =>
      prompt.arguments.some(({ name }) => pair.startsWith(`${name}=`)),
    );
    await inspect('prompts/get', '--prompt-name', prompt.name, '--prompt-args', ...args);
  }
  if (tools.length === 0 || resources.length === 0 || prompts.length === 0) {
    throw new Error('A list is empty.');
  }
  return `${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`;
}

/** What a refused call ends with: its result is written all the same. */
const toolErrorStatus = 5;

await build();
const service = await startExampleService({ token, exportStepMs: 5 });
const directory = await mkdtemp(path.join(tmpdir(), 'inspect-'));
const settings = { EXAMPLE_API_BASE_URL: service.url, EXAMPLE_API_TOKEN: token };
const http = spawn(process.execPath, [program, '--http'], {
  env: { ...settings, MCP_PORT: '0', MCP_RATE_LIMIT: '10000' },
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
    stdio: { command: process.execPath, args: [program], env: settings },
    http: { type: 'http', url },
  };
  const config = path.join(directory, 'mcp.json');
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  const env = await inspectorEnvironment();
  for (const server of Object.keys(servers)) {
    const found = await driveAll(server, async (method, ...flags) => {
      const target = ['--cli', '--config', config, '--server', server, '--method', method];
      const all = [...target, '--format', 'json', '--quiet', ...flags];
      const { stdout } = await run('mcp-inspector', all, { env }).catch((error: unknown) => {
        const failed = error as { code: number; stdout: string; stderr: string };
        if (failed.code === toolErrorStatus && failed.stdout !== '') return failed;
        throw new Error(`${method} ${flags.join(' ')} failed.\n${failed.stderr}`);
      });
      return (JSON.parse(stdout) as { result: Result }).result;
    });
    console.log(`${server}: ${found}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  http.kill('SIGTERM');
  await once(http, 'close');
  await rm(directory, { recursive: true });
  await service.close();
}
