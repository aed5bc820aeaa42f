/** A site as a child process with the identity preload, for tests and for development. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnv } from './env.ts';
import { freePort, startProgram, type Program, type ProgramOptions } from './program.ts';

const PRELOAD = new URL('../identity-preload.mjs', import.meta.url).href;

export interface SiteOptions extends Pick<ProgramOptions, 'signal' | 'onLine' | 'readyWithinMs'> {
  /** The platform's `internalUrl`. */
  internalUrl: string;
  /** The platform's `siteOrigin`. */
  siteOrigin: string;
  /** The origin that may frame the site: the platform's `platformUrl`. */
  frameAncestors: string;
  /** Where the site sends its mail: the platform's `smtpUrl`. Default: mail is off. */
  smtpUrl?: string;
  /** Default: any free port. */
  port?: number;
  /** The site's entry, relative to the site's folder. Default `build/server/main.js`. */
  entry?: string;
  /** Overrides this process's environment and the settings above. NODE_ENV is `production`. */
  env?: Record<string, string>;
  /** Attaches the visitor's identity to the site's calls. Default true. */
  preload?: boolean;
  /** More arguments for node, such as `['--import', 'tsx']`. */
  nodeArguments?: string[];
}

export interface Site extends Program {
  /** Where the site listens, such as `http://127.0.0.1:40123`; for the platform's `setSiteUpstream`. */
  readonly url: string;
  /**
   * The file in its `DATABASE_URL`, where this function chose one: a site that stores nothing never creates
   * it.
   */
  readonly databaseFile: string | null;
}

/**
 * Starts a site and waits until `/readyz` answers 200.
 *
 * @throws {Error} with the site's output, when it ends or is not ready in time.
 */
export async function startSite(options: SiteOptions): Promise<Site> {
  if (options.port !== undefined) return startAt(options.port, options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startAt(await freePort(), options);
    } catch (error) {
      // Another process may take the free port before the site does. A site that ignores `PORT` fails each
      // time.
      const isTaken = error instanceof Error && /EADDRINUSE|is taken/.test(error.message);
      if (!isTaken || attempt === 5) throw error;
    }
  }
}

async function startAt(port: number, options: SiteOptions): Promise<Site> {
  const url = `http://127.0.0.1:${port}`;
  // The site's data is deleted when it ends. Under `npm run dev` it is kept.
  const folder =
    options.env?.['NODE_ENV'] === 'development'
      ? null
      : await mkdtemp(path.join(tmpdir(), 'site-data-'));
  const databaseFile = folder === null ? null : path.join(folder, 'site.db');
  const forget = async () => {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  };
  const program = await startProgram({
    name: 'The site',
    arguments: [
      ...(options.preload === false ? [] : ['--import', PRELOAD]),
      ...(options.nodeArguments ?? []),
      options.entry ?? 'build/server/main.js',
    ],
    env: childEnv({
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: options.internalUrl,
      SITE_ORIGIN: options.siteOrigin,
      PLATFORM_FRAME_ANCESTORS: options.frameAncestors,
      // For a site with accounts of its own.
      AUTH_SECRET: 'a key that is good on this machine and nowhere else',
      SMTP_URL: options.smtpUrl ?? 'off',
      ...(databaseFile !== null && { DATABASE_URL: `file:${databaseFile}` }),
      // No load balancer has to notice the shutdown.
      SHUTDOWN_DELAY_SECONDS: '0',
      ...options.env,
    }),
    ready: { url: `${url}/readyz`, statuses: [200] },
    signal: options.signal,
    onLine: options.onLine,
    readyWithinMs: options.readyWithinMs,
  }).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  void program.exited.then(forget);
  return { ...program, url, databaseFile };
}
