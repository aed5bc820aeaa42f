/** Serves a build as the built server does, without its files. */
import type { ServerBuild } from '@remix-run/node';
import { createHttpServer, createListener, handleRequests } from '@gatehouse/server';
import { site } from '../../app/server/site';

export function serveBuild(build: ServerBuild): void {
  const env = site.settings();
  const server = createHttpServer(env);
  const options = {
    ...site,
    ...site.framework.createHandler(build, 'production', site),
    env,
    assets: (_: unknown, __: unknown, next: () => void) => {
      next();
    },
    isReady: () => true,
  };
  handleRequests(server, createListener(options));
  server.listen(env.port, env.host);
}
