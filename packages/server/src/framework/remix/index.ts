/** Remix 2, as the server uses it. Its document component is in `pages.tsx`: React reads NODE_ENV when it is loaded. */
import type { ServerBuild } from '@remix-run/node';
import type { RequestContext } from '../../requests/request-context.ts';
import type { Framework } from '../../framework.ts';
import { addresses } from './addresses.ts';
import { createHandler } from './handler.ts';

declare module '@remix-run/node' {
  // All fields are optional, so that the app also runs on a plain Remix server.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- this is how Remix is told
  interface AppLoadContext extends RequestContext {}

  interface Future {
    v3_singleFetch: true;
  }
}

export const remix: Framework = {
  serverBuild: 'virtual:remix/server-build',
  addresses,
  createHandler,
  withErrorHook(build: ServerBuild, onError): ServerBuild {
    const { module } = build.entry;
    return {
      ...build,
      entry: {
        module: {
          ...module,
          handleError(error, details) {
            onError(error);
            module.handleError?.(error, details);
          },
        },
      },
    };
  },
  browserModulesOf({ assets, routes }: ServerBuild) {
    const pages = Object.values(assets.routes).filter(({ id }) => routes[id]?.module.default);
    const entries = [assets.entry, ...pages];
    return entries.flatMap((entry) => [entry.module, ...(entry.imports ?? [])]);
  },
};
