/** Runs a service as a program: flags, settings and shutdown. */
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createRuntime, definitionOf, type Runtime } from './adapters/runtime.ts';
import { createLog, type Log } from './core/context/log.ts';
import type { ToolSelection } from './core/definition/registry/select-tools.ts';
import type { Service } from './core/definition/service-definition.ts';
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
  --check     start nothing, and say what is wrong with the settings and the tools; with --http,
              also with the metadata of MCP_OAUTH_ISSUER, which are fetched
  --help      show this text
  --version   show the version
`;

const flags = {
  http: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Serves until the client disconnects or a signal arrives; then exits, even if something is still running. */
export async function runProgram(service: Service): Promise<void> {
  try {
    await run(service, programVersion());
    process.exit(0);
  } catch (error) {
    // One sentence about an invalid flag, setting or definition, or an unavailable port.
    process.stderr.write(`${error instanceof Error ? error.message : 'It could not start.'}\n`);
    process.exit(1);
  }
}

async function run(program: Service, version: string): Promise<void> {
  const { values } = parseArgs({ options: flags });
  if (values.help || values.version) {
    process.stdout.write(values.help ? helpOf(program) : `${version}\n`);
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
    version,
    log,
    toolSelection: selectionOf(settings),
    ...(telemetry && { hooks: [telemetry.around] }),
  });
  const ending = endingSignal(log);
  await (values.http ? serveHttp : serveStdio)(runtime, settings, ending);
  await stopped(runtime, telemetry);
}

function helpOf({ settings }: Pick<Service, 'settings'>): string {
  const described = describeSettings(settings);
  const width = Math.max(...described.map(({ name }) => name.length));
  const lines = described.map(({ name, description }) =>
    `  ${name.padEnd(width)}  ${description}`.trimEnd(),
  );
  return [usage, 'Settings are environment variables:', '', ...lines, ''].join('\n');
}

/**
 * Validates the configuration without starting the server. The only request is for the metadata of the authorization
 * server. Warnings are printed to stderr.
 *
 * @throws Error with one line for each problem.
 */
async function check(program: Service, isHttp: boolean): Promise<string> {
  const schema = program.settings;
  const problems = settingProblems(schema);
  const warnings = unknownSettings(schema).map(unknownText);
  if (problems.length > 0) throw new Error([...warnings, ...problems].join('\n'));
  const { settings, serviceSettings } = readSettings(schema);
  if (isHttp) {
    const { checkHttp } = await import('./transports/http/start-checks.ts');
    warnings.push(...(await checkHttp(httpOptionsOf(settings))));
  }
  const { service } = definitionOf(program.createService(serviceSettings), selectionOf(settings));
  const { name, tools, resources, prompts } = service;
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const verdict =
    warnings.length === 0 ? 'Nothing is wrong.' : 'It can start, but see the warnings.';
  return `${verdict} ${name} has ${tools.length} tools, ${resources.length} resources and ${prompts.length} prompts.\n`;
}

const unknownText = (name: string) => `${name} is no setting of this server.`;

function selectionOf(settings: Settings): ToolSelection {
  return { readOnly: settings.MCP_READ_ONLY, names: settings.MCP_TOOLS };
}

async function serveHttp(runtime: Runtime, settings: Settings, ending: AbortSignal): Promise<void> {
  // Imported on demand: it takes over a third of the startup time, and stdio does not need it.
  const { startHttp } = await import('./transports/http/http.ts');
  const server = await startHttp({ runtime, ...httpOptionsOf(settings) });
  runtime.log.info('Listening', { url: server.url });
  if (!ending.aborted) await once(ending, 'abort');
  await server.close();
}

/** Maps environment variables to the options of the gate and the sessions. */
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
    drainMs: settings.MCP_DRAIN_SECONDS * 1_000,
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

async function serveStdio(
  runtime: Runtime,
  settings: Settings,
  ending: AbortSignal,
): Promise<void> {
  await runStdio({
    runtime,
    stdin: process.stdin,
    stdout: takeStdout(),
    secretPages: createLoopbackPages(runtime.service.title, runtime.limits.elicitationMs),
    drainMs: settings.MCP_DRAIN_SECONDS * 1_000,
    ending,
  });
}

/**
 * By default, Node.js would print the error with any secrets in it, and one unhandled rejection would end every
 * call.
 */
function logStrayErrors(log: Log): void {
  process.on('unhandledRejection', (error) => {
    log.error('Unhandled promise rejection', { error });
  });
  // The state of the process is undefined after an uncaught exception, so restart it.
  process.on('uncaughtException', (error) => {
    log.error('Exiting on an uncaught exception', { error });
    process.exit(1);
  });
}

/** Aborts at the first termination signal. A second one ends the process at once. */
function endingSignal(log: Log): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending.signal.aborted) process.exit(1);
      log.info('Shutting down on a signal', { signal });
      ending.abort();
    });
  }
  return ending.signal;
}

/** Stops the runtime with a time limit, so that an upstream that does not close cannot keep the process alive. */
async function stopped(runtime: Runtime, telemetry: Telemetry | undefined): Promise<void> {
  const deadline = new Promise((resolve) => setTimeout(resolve, 2_000));
  await Promise.race([runtime.stop().then(() => telemetry?.end()), deadline]);
}

/** Reads the version of the package that the started program is in: the sources, the build, or what npm installed. */
function programVersion(): string {
  let folder = path.dirname(realpathSync(process.argv[1] ?? ''));
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  const manifest = readFileSync(path.join(folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
