/** Startup and graceful shutdown: settings, the HTTP server, and a drain that loses no request. */
import { createDrain, type Upgrades } from '@gatehouse/http';
import { handleRequests, createHttpServer } from './connections/http-server.ts';
import { createListener, type ListenerOptions } from './listener/listener.ts';
import { configureLog, log } from './log.ts';
import { RouteHandleError } from './route.ts';
import type { ServerSettings, Site } from './site.ts';

/** What responds behind the listener. */
interface Handlers extends Pick<ListenerOptions, 'assets' | 'match'> {
  upgrades?: Upgrades;
}

/** Milliseconds for pending requests during shutdown. */
const drainTime = 10_000;

/**
 * Runs the site until SIGTERM or SIGINT.
 *
 * @param listenerFor creates the listener. Development reloads it after edits.
 */
export async function serve(
  site: Site,
  createHandlers: (env: ServerSettings) => Promise<Handlers>,
  listenerFor: typeof createListener = createListener,
): Promise<void> {
  const env = await orExit('SettingError', () => site.settings());
  if (process.argv.includes('--check-settings')) {
    process.stdout.write(site.settingsReport?.() ?? '');
    return;
  }
  configureLog(env);
  await orExit('StartError', () => site.onStart?.());
  if (env.frameAncestors.join() === "'none'") {
    log.warn('PLATFORM_FRAME_ANCESTORS is not set: no page may frame this site.');
  }

  let ready = true;
  const server = createHttpServer(env);
  const { upgrades, ...handlers } = await createHandlers(env).catch((error: unknown) => {
    if (error instanceof RouteHandleError) exit(error.message);
    throw error;
  });
  const listener = listenerFor({ ...site, ...handlers, env, isReady: () => ready });
  handleRequests(server, listener, upgrades);
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') exit(`PORT ${env.port} is taken.`);
    if (error.code === 'EACCES') exit(`PORT ${env.port} needs more privileges (EACCES).`);
    exit(`HOST ${env.host} is no address of this machine (${error.code}).`);
  });
  const drain = createDrain(server, drainTime);
  // Connections in a burst wait in the backlog; with Node's default of 511, some would be refused.
  server.listen({ port: env.port, host: env.host, backlog: 4_096 }, () => {
    log.info({ host: env.host, address: server.address() }, 'listening');
  });

  /** `/readyz` fails immediately, and load balancers get the delay to notice. */
  const end = async (delay: number) => {
    ready = false;
    log.info({ delay }, 'draining');
    await new Promise((resolve) => setTimeout(resolve, delay * 1_000));
    await drain();
    await site.onStop?.();
    log.flush(() => process.exit(0));
  };
  // A second SIGTERM changes nothing: pending requests are completed.
  process.on('SIGTERM', () => {
    if (ready) void end(env.shutdownDelay);
  });
  // Ctrl-C skips the delay, since no load balancer is involved. A second one exits immediately.
  process.on('SIGINT', () => {
    if (!ready) process.exit(130);
    void end(0);
  });
}

/** Operator errors are printed as one sentence, without a stack. */
async function orExit<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && error.name === name) exit(error.message);
    throw error;
  }
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
