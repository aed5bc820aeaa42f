/** The program around a service: its flags, its settings, its end. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { createRuntime, type Runtime } from './adapters/runtime.ts';
import { createLog, type Log } from './core/context/log.ts';
import type { ServiceDefinition } from './core/definition/define-service.ts';
import { readSettings, type Settings } from './env.ts';
import type { HttpOptions } from './transports/http.ts';
import { createLoopbackPages } from './transports/loopback-pages.ts';
import { runStdio, takeStdout } from './transports/stdio.ts';

export interface Program<ServiceSettings extends z.ZodType> {
  /** The service's own environment variables, by their names. */
  readonly settings: ServiceSettings;
  createService(settings: z.output<ServiceSettings>): ServiceDefinition;
}

const usage = `Serves MCP on its standard input and output, for the program that starts it.

  --http      over HTTP instead, for many clients
  --help      show this text
  --version   show the version

Settings are environment variables; the README lists them.
`;

const flags = {
  http: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** Serves until the client leaves or a signal comes; then ends the process, whatever still runs. */
export async function runProgram<ServiceSettings extends z.ZodType>(
  program: Program<ServiceSettings>,
): Promise<void> {
  try {
    await run(program);
    process.exit(0);
  } catch (error) {
    // One sentence: a flag, a setting or a definition is at fault, or a port is taken.
    process.stderr.write(`${error instanceof Error ? error.message : 'It could not start.'}\n`);
    process.exit(1);
  }
}

async function run<ServiceSettings extends z.ZodType>(
  program: Program<ServiceSettings>,
): Promise<void> {
  const { values } = parseArgs({ options: flags });
  if (values.help || values.version) {
    process.stdout.write(values.help ? usage : `${packageVersion()}\n`);
    return;
  }
  const { settings, serviceSettings } = readSettings(program.settings);
  const log = createLog({ level: settings.LOG_LEVEL });
  logStrayErrors(log);
  const runtime = await createRuntime({
    service: program.createService(serviceSettings),
    version: packageVersion(),
    log,
  });
  const stop = stopSignal(log);
  await (values.http ? serveHttp(runtime, settings, stop) : serveStdio(runtime, stop));
  await stopped(runtime);
}

async function serveHttp(runtime: Runtime, settings: Settings, stop: AbortSignal): Promise<void> {
  // Over a third of a start's time, and no use on stdio.
  const { startHttp } = await import('./transports/http.ts');
  const server = await startHttp({ runtime, ...httpOptionsOf(settings) });
  runtime.log.info('Listening', { url: server.url });
  if (!stop.aborted) await once(stop, 'abort');
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
  MCP_OAUTH_ISSUER: issuer,
  MCP_OAUTH_AUDIENCE: audience = '',
  MCP_OAUTH_SCOPE: scopes,
}: Settings): HttpOptions['authentication'] {
  if (issuer !== undefined) return { kind: 'oauth', issuer, audience, scopes };
  return token === undefined ? { kind: 'none' } : { kind: 'bearer', token };
}

async function serveStdio(runtime: Runtime, stop: AbortSignal): Promise<void> {
  await runStdio({
    runtime,
    stdin: process.stdin,
    stdout: takeStdout(),
    secretPages: createLoopbackPages(runtime.service.title, runtime.limits.elicitationMs),
    stop,
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
function stopSignal(log: Log): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      log.info('Ending on a signal', { signal });
      stop.abort();
    });
  }
  return stop.signal;
}

/** An upstream that does not close must not keep the process. */
async function stopped(runtime: Runtime): Promise<void> {
  const deadline = new Promise((resolve) => setTimeout(resolve, 2_000));
  await Promise.race([runtime.stop(), deadline]);
}

function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
