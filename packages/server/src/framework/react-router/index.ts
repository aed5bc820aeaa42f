/** React Router 8, as the server uses it, or 7 with its flags for 8. Its document component is in `pages.tsx`. */
import { RouterContextProvider, type ServerBuild } from 'react-router';
import type { RequestContext } from '../../requests/request-context.ts';
import type { Framework } from '../../framework.ts';
import { addresses } from './addresses.ts';
import { createHandler } from './handler.ts';

declare module 'react-router' {
  // All fields are optional, so that the app also runs on a plain React Router server.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- this is how React Router is told
  interface RouterContextProvider extends RequestContext {}

  interface Future {
    v8_middleware: true;
  }
}

export const reactRouter: Framework = {
  serverBuild: 'virtual:react-router/server-build',
  addresses,
  contextOf: (context) => Object.assign(new RouterContextProvider(), context),
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
    const pages = Object.values(assets.routes).flatMap((route) =>
      route && routes[route.id]?.module.default ? route : [],
    );
    return [assets.entry, ...pages].flatMap(({ module, imports = [] }) => [module, ...imports]);
  },
};
