/** Starting and stopping: settings, the HTTP server, and a drain that loses no request. */
import type { Server } from 'node:http';
import { createDrain } from './drain.server';
import { SettingError, siteEnv, type SiteEnv } from '~/env.server';
import { RouteHandleError } from '~/route-handle';
import { answerRequests, createHttpServer } from './http-server.server';
import { createListener, type ListenerOptions } from './listener.server';
import { logUpstreamFailures, log } from './log.server';

type Site = Omit<ListenerOptions, 'env' | 'isReady'>;

/** Milliseconds that requests under way are given once the server is told to stop. */
const drainTime = 10_000;

/**
 * Runs the site until SIGTERM or SIGINT.
 * @param createSite makes what answers; it gets the server first, for Vite's WebSocket.
 * @param listenerFor makes the listener in front of it. Development reloads it after edits.
 */
export async function serve(
  createSite: (env: SiteEnv, server: Server) => Promise<Site> | Site,
  listenerFor: typeof createListener = createListener,
): Promise<void> {
  const env = settingsOrExit();
  log.level = env.logLevel;
  logUpstreamFailures();
  if (env.frameAncestors.join() === "'none'") {
    log.warn('PLATFORM_FRAME_ANCESTORS is not set: no page may frame this site.');
  }

  let ready = true;
  const server = createHttpServer(env);
  const site = await Promise.resolve(createSite(env, server)).catch((error: unknown) => {
    if (error instanceof RouteHandleError) exit(error.message);
    throw error;
  });
  answerRequests(server, listenerFor({ ...site, env, isReady: () => ready }));
  server.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${error.code})`;
    exit(`PORT ${env.port} ${reason}.`);
  });
  const drain = createDrain(server, drainTime);
  // A crowd that comes at once waits to be let in; with Node's 511 the rest of it would be refused.
  server.listen({ port: env.port, host: env.host, backlog: 4_096 }, () => {
    log.info({ host: env.host, address: server.address() }, 'listening');
  });

  /** `/readyz` says at once that the site is about to go. Balancers are given the delay to see it. */
  const end = async (delay: number) => {
    ready = false;
    log.info({ delay }, 'draining');
    await new Promise((resolve) => setTimeout(resolve, delay * 1_000));
    await drain();
    log.flush(() => process.exit(0));
  };
  // A second SIGTERM changes nothing: requests under way are finished.
  process.on('SIGTERM', () => {
    if (ready) void end(env.shutdownDelay);
  });
  // Ctrl-C skips the delay, since no balancer is watching. Pressed again, it ends at once.
  process.on('SIGINT', () => {
    if (!ready) process.exit(130);
    void end(0);
  });
}

function settingsOrExit(): SiteEnv {
  try {
    return siteEnv();
  } catch (error) {
    if (error instanceof SettingError) exit(error.message);
    throw error;
  }
}

function exit(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
