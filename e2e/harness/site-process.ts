/**
 * A site as a child process with the identity preload, for tests and for development.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { childEnv } from './env';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const PRELOAD = new URL('identity-preload.mjs', import.meta.url).href;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** A site that ignores SIGTERM is killed after this long. */
const STOP_WITHIN_MS = 10_000;

export interface SiteOptions {
  /** The platform's `internalUrl`. */
  internalUrl: string;
  /** The platform's `siteOrigin`. */
  siteOrigin: string;
  /** Who may frame the site: the platform's `platformUrl`. */
  frameAncestors: string;
  /** Default: any free port. */
  port?: number;
  /** The site's entry, relative to the repository. Default `build/server/main.js`. */
  entry?: string;
  /** On top of this process's environment and the settings above. NODE_ENV is `production`. */
  env?: Record<string, string>;
  /** Attach the visitor's identity to the site's calls. Default true. */
  preload?: boolean;
  /** More arguments for node, such as `['--import', 'tsx']`. */
  nodeArguments?: string[];
  /** Ends the site, ready or not. */
  signal?: AbortSignal;
  /** Called with each piece of output, as well as it being collected. */
  onOutput?: (text: string, stream: 'stdout' | 'stderr') => void;
}

export interface Site {
  /** Where the site listens, such as `http://127.0.0.1:40123`; for the platform's `setSiteUpstream`. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything written so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when the child has ended, by itself or not, with its exit code or signal. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Ends the child by SIGTERM and waits for it. */
  stop(): Promise<void>;
}

/**
 * Starts a site and waits until `/readyz` answers 200.
 *
 * @throws {Error} with the site's output, when it ends or is not ready within a minute.
 */
export async function startSite(options: SiteOptions): Promise<Site> {
  const port = options.port ?? (await freePort());
  const output = { stdout: '', stderr: '' };
  const child = spawn(
    process.execPath,
    [
      ...(options.preload === false ? [] : ['--import', PRELOAD]),
      ...(options.nodeArguments ?? []),
      options.entry ?? 'build/server/main.js',
    ],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnv({
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        PLATFORM_INTERNAL_URL: options.internalUrl,
        SITE_ORIGIN: options.siteOrigin,
        PLATFORM_FRAME_ANCESTORS: options.frameAncestors,
        ...options.env,
      }),
    },
  );
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
      options.onOutput?.(text, stream);
    });
  }
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 1);
    });
    // A child that could not be started at all never closes.
    child.once('error', (error) => {
      output.stderr += `${error.message}\n`;
      resolve(1);
    });
  });

  options.signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });

  const site: Site = {
    url: `http://127.0.0.1:${port}`,
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const last = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await exited;
      clearTimeout(last);
    },
  };

  const failure = await Promise.race([
    exited.then((how) => `The site ended (${how}) before it was ready.`),
    untilReady(site).then((ready) =>
      ready ? null : `The site was not ready within ${READY_WITHIN_MS / 1000} seconds.`,
    ),
  ]);
  if (failure === null) return site;
  await site.stop();
  throw new Error(`${failure}\n${output.stdout}${output.stderr}`);
}

async function untilReady({ url, child }: Site): Promise<boolean> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const { pid } = child;
  while (
    pid !== undefined &&
    Date.now() < deadline &&
    child.exitCode === null &&
    child.signalCode === null
  ) {
    if ((await statusOf(`${url}/readyz`)) === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Not fetch: a process that hosts the platform as well must not lend it its connection pool. */
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

/** A port on loopback that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
