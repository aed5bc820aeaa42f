/** The program around a service: its flags, its settings, its end. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createRuntime, definitionOf, type Runtime } from './adapters/runtime.ts';
import { createLog, type Log } from './core/context/log.ts';
import type { ToolSelection } from './core/definition/registry/select-tools.ts';
import type { WrappedService } from './core/definition/define-service.ts';
import {
  describeSettings,
  readSettings,
  settingProblems,
  unknownSettings,
  type Settings,
} from './env.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';
import type { HttpOptions } from './transports/http/http.ts';
import { createLoopbackPages } from './transports/secret-page/loopback-pages.ts';
import { runStdio, takeStdout } from './transports/stdio/stdio.ts';

const usage = `Serves MCP on its standard input and output, for the program that starts it.

  --http      over HTTP instead, for many clients
  --check     start nothing, and say what is wrong with the settings and the tools
  --help      show this text
  --version   show the version
`;

const flags = {
  http: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/**
 * Serves until the client leaves or a signal comes; then ends the process, whatever still runs.
 *
 * @param load Gives the service. A failure of it is told as any other.
 */
export async function runProgram(
  load: () => WrappedService | Promise<WrappedService>,
): Promise<void> {
  try {
    await run(await load());
    process.exit(0);
  } catch (error) {
    // One sentence: a flag, a setting or a definition is at fault, or a port is taken.
    process.stderr.write(`${error instanceof Error ? error.message : 'It could not start.'}\n`);
    process.exit(1);
  }
}

async function run(program: WrappedService): Promise<void> {
  const { values } = parseArgs({ options: flags });
  if (values.help || values.version) {
    process.stdout.write(values.help ? helpOf(program) : `${packageVersion()}\n`);
    return;
  }
  if (values.check) {
    process.stdout.write(await check(program, values.http));
    return;
  }
  const { settings, serviceSettings } = readSettings(program.settings);
  const log = createLog({ level: settings.LOG_LEVEL });
  logStrayErrors(log);
  for (const name of unknownSettings(program.settings)) log.warn(unknownText(name));
  const telemetry = await startTelemetry();
  const runtime = await createRuntime({
    service: program.createService(serviceSettings),
    version: packageVersion(),
    log,
    toolSelection: selectionOf(settings),
    ...(telemetry && { hooks: [telemetry.around] }),
  });
  const ending = endingSignal(log);
  await (values.http ? serveHttp(runtime, settings, ending) : serveStdio(runtime, ending));
  await stopped(runtime, telemetry);
}

function helpOf({ settings }: Pick<WrappedService, 'settings'>): string {
  const described = describeSettings(settings);
  const width = Math.max(...described.map(({ name }) => name.length));
  const lines = described.map(({ name, description }) =>
    `  ${name.padEnd(width)}  ${description}`.trimEnd(),
  );
  return [usage, 'Settings are environment variables:', '', ...lines, ''].join('\n');
}

/**
 * Nothing is started, and nobody is asked.
 *
 * @throws Error with a line for each thing that is wrong.
 */
async function check(program: WrappedService, isHttp: boolean): Promise<string> {
  const schema = program.settings;
  const problems = settingProblems(schema);
  for (const name of unknownSettings(schema)) process.stderr.write(`${unknownText(name)}\n`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { settings, serviceSettings } = readSettings(schema);
  if (isHttp) {
    const { refuseOpenAddress } = await import('./transports/http/http.ts');
    refuseOpenAddress(httpOptionsOf(settings));
  }
  const { service } = definitionOf(program.createService(serviceSettings), selectionOf(settings));
  const { name, tools, resources, prompts } = service;
  return `Nothing is wrong. ${name} has ${tools.length} tools, ${resources.length} resources and ${prompts.length} prompts.\n`;
}

const unknownText = (name: string) => `${name} is no setting of this server.`;

function selectionOf(settings: Settings): ToolSelection {
  return { readOnly: settings.MCP_READ_ONLY, names: settings.MCP_TOOLS };
}

async function serveHttp(runtime: Runtime, settings: Settings, ending: AbortSignal): Promise<void> {
  // Over a third of a start's time, and no use on stdio.
  const { startHttp } = await import('./transports/http/http.ts');
  const server = await startHttp({ runtime, ...httpOptionsOf(settings) });
  runtime.log.info('Listening', { url: server.url });
  if (!ending.aborted) await once(ending, 'abort');
  await server.close();
}

/** The gate's and the sessions' options, from the environment's names. */
export function httpOptionsOf(settings: Settings): Omit<HttpOptions, 'runtime'> {
  return {
    host: settings.MCP_HOST,
    port: settings.MCP_PORT,
    publicUrl: settings.MCP_PUBLIC_URL,
    allowedHosts: settings.MCP_ALLOWED_HOSTS,
    allowedOrigins: settings.MCP_ALLOWED_ORIGINS,
    authentication: authenticationOf(settings),
    rateLimit: {
      requests: settings.MCP_RATE_LIMIT,
      seconds: 60,
      ...(settings.REDIS_URL !== undefined && { redisUrl: settings.REDIS_URL }),
    },
    maxBodyBytes: settings.MCP_MAX_BODY_BYTES,
    stateKeys: settings.MCP_STATE_KEY,
    sessions: settings.MCP_SESSIONS
      ? {
          idleSeconds: settings.MCP_SESSION_IDLE_SECONDS,
          maxSessions: settings.MCP_MAX_SESSIONS,
        }
      : undefined,
  };
}

function authenticationOf({
  MCP_BEARER_TOKEN: token,
  MCP_BEARER_TOKENS: tokens,
  MCP_OAUTH_ISSUER: issuer,
  MCP_OAUTH_AUDIENCE: audience = '',
  MCP_OAUTH_SCOPE: scopes,
}: Settings): HttpOptions['authentication'] {
  if (issuer !== undefined) return { kind: 'oauth', issuer, audience, scopes };
  if (tokens.size > 0) return { kind: 'named bearers', tokens };
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token };
}

async function serveStdio(runtime: Runtime, ending: AbortSignal): Promise<void> {
  await runStdio({
    runtime,
    stdin: process.stdin,
    stdout: takeStdout(),
    secretPages: createLoopbackPages(runtime.service.title, runtime.limits.elicitationMs),
    ending,
  });
}

/** Node would write them out as they are, secrets too, and end every call for one that was careless. */
function logStrayErrors(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error('A promise failed that nobody waited for', { error });
  });
  // What else was left undone is not known: the next start is clean.
  process.on('uncaughtException', (error) => {
    log.error('Ending on an error that nothing caught', { error });
    process.exit(1);
  });
}

/** Aborts at the first signal that asks the process to end. The second is not waited for. */
function endingSignal(log: Log): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending.signal.aborted) process.exit(1);
      log.info('Ending on a signal', { signal });
      ending.abort();
    });
  }
  return ending.signal;
}

/** An upstream that does not close must not keep the process. */
async function stopped(runtime: Runtime, telemetry: Telemetry | undefined): Promise<void> {
  const deadline = new Promise((resolve) => setTimeout(resolve, 2_000));
  await Promise.race([runtime.stop().then(() => telemetry?.end()), deadline]);
}

/** The package's, whether its sources are run or what was built of them. */
function packageVersion(): string {
  let folder = new URL('../', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  const manifest = readFileSync(new URL('package.json', folder), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
