/** A small site, as the Remix compiler would build it. */
import type { ServerBuild } from '@remix-run/node';
import { Links, Outlet, Scripts } from '@remix-run/react';
import { createContext, useContext, type ReactNode } from 'react';
import { createRequestContext, type RouteMatcher } from '../src/index.ts';
import { remix } from '../src/framework/remix/index.ts';
import * as pages from '../src/framework/remix/pages.tsx';
import { serverBuildOf } from '../src/framework/remix/testing/server-build.ts';
import { isResource, settings } from '../src/testing/listening-site.ts';

export type Module = ServerBuild['routes'][string]['module'];

const Nonce = createContext<string | undefined>(undefined);

export const entry = {
  handleError: pages.handleError,
  streamTimeout: pages.streamTimeout,
  default: pages.createPageRenderer((page, nonce) => (
    <Nonce.Provider value={nonce}>{page}</Nonce.Provider>
  )),
};

function Root() {
  return (
    <Document>
      <Outlet />
    </Document>
  );
}

function ErrorBoundary() {
  return <Document>An error</Document>;
}

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <Links />
      </head>
      <body>
        {children}
        <Scripts nonce={useContext(Nonce)} />
      </body>
    </html>
  );
}

/** A route below the root, or below another route. */
export interface SmallRoute {
  id: string;
  path?: string;
  index?: boolean;
  parentId?: string;
  module: Module;
}

/** @param modules routes below the root, by path: `''` is the home page. */
export function createSmallSite(modules: Record<string, Module>, others: SmallRoute[] = []) {
  const routes: ServerBuild['routes'] = {
    root: { id: 'root', path: '', module: { default: Root, ErrorBoundary } },
  };
  for (const [path, module] of Object.entries(modules)) {
    const place = path === '' ? { index: true } : { path };
    routes[path || 'home'] = { id: path || 'home', parentId: 'root', ...place, module };
  }
  for (const route of others) routes[route.id] = { parentId: 'root', ...route };
  return remix.createHandler(serverBuildOf(routes, entry), 'production', { isResource });
}

/**
 * Sends a request as the listener does: one context per request, with the address on the site's own origin.
 */
export async function requestSite(
  site: RouteMatcher,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(path, settings.siteOrigin);
  const request = new Request(url, { signal: new AbortController().signal, ...init });
  request.headers.set('host', url.host);
  const own = { signal: request.signal, requestId: 'r1', nonce: 'n1' };
  const { respond } = await site.match(url);
  return respond(request, createRequestContext(url, { isResource, framework: remix }, own));
}
