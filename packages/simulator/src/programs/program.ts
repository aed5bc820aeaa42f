/** A program of the site as a child process, ready once its HTTP probe succeeds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** The site's folder: npm runs a site's scripts in it. */
export const siteFolder = process.cwd();

const END_WITH_PARENT = new URL('end-with-parent.mjs', import.meta.url).href;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** A program that ignores SIGTERM is killed after this long. */
const STOP_WITHIN_MS = 10_000;

export interface ProgramOptions {
  /** For messages, such as `The site`. */
  name: string;
  /** The arguments of node; files are relative to the site's folder. */
  arguments: string[];
  env: NodeJS.ProcessEnv;
  /** Polled until it answers with one of these statuses. */
  ready: { url: string; statuses: number[] };
  /** Milliseconds that it may take to become ready. Default: a minute. */
  readyWithinMs?: number | undefined;
  /** Ends the program, ready or not. */
  signal?: AbortSignal | undefined;
  /** Called with each line of output, which is collected as well. */
  onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface Program {
  readonly name: string;
  readonly child: ChildProcess;
  /** Everything written so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code or signal when the child has ended. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Ends the child with SIGTERM and waits for it. */
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until it is ready. It ends with this process, even if this one is killed.
 *
 * @throws {Error} with the program's output, when it ends or is not ready in time.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, env, signal, ready, onLine, readyWithinMs = READY_WITHIN_MS } = options;
  const output = { stdout: '', stderr: '' };
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...options.arguments], {
    cwd: siteFolder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
    if (onLine)
      createInterface(child[stream]).on('line', (line) => {
        onLine(line, stream);
      });
  }
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, how) => {
      resolve(code ?? how ?? 1);
    });
    // A child that could not be spawned emits no `close`.
    child.once('error', (error) => {
      output.stderr += `${error.message}\n`;
      resolve(1);
    });
  });
  const program: Program = {
    name,
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    async stop() {
      if (hasEnded(child)) return;
      child.kill('SIGTERM');
      const last = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await exited;
      clearTimeout(last);
    },
  };
  const end = () => void program.stop();
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });

  const ended = exited.then((how) => `${name} ended (${how}) before it was ready.`);
  const failure = await Promise.race([
    ended,
    untilReady(child, ready, readyWithinMs).then((isReady) => {
      if (isReady) return null;
      // The pipes may close after the process has exited.
      if (hasEnded(child)) return ended;
      return `${name} was not ready within ${readyWithinMs / 1000} seconds.`;
    }),
  ]);
  if (failure === null) return program;
  await program.stop();
  throw new Error(`${failure}\n${output.stdout}${output.stderr}`);
}

async function untilReady(
  child: ChildProcess,
  { url, statuses }: ProgramOptions['ready'],
  withinMs: number,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!hasEnded(child) && Date.now() < deadline) {
    const status = await statusOf(url);
    if (status !== null && statuses.includes(status)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Also true for a child that could not be spawned. */
function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

/**
 * Without `fetch`: in a process that hosts the platform as well, the two must not share a connection pool.
 */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const call = request(url, { agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => {
      resolve(null);
    });
    call.end();
  });
}

/** Finds a free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
