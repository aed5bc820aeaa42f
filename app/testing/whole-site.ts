/** The whole site for tests: the real routes, root and Remix, without Vite and without a listener. */
import type { ServerBuild } from '@remix-run/node';
import * as root from '~/root';
import siteRoutes from '~/routes';
import type { RemixSite } from '~/server/answer-with-remix.server';
import { createRemixHandler } from '~/server/remix-handler.server';
import { createRequestContext } from '~/server/request-context.server';
import { serverBuildOf } from '../../packages/site-server/test/server-build';

type Module = ServerBuild['routes'][string]['module'];

const modules = import.meta.glob<Module>('../{routes,*/routes}/*.{ts,tsx}');

export const siteOrigin = 'https://site.example';

export interface Site extends RemixSite {
  /** Asks as the listener does: one context a request, the address on the site's own origin. */
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** @param extra routes that a test adds, by path. */
export async function startSite(extra: Record<string, Module> = {}): Promise<Site> {
  const routes: ServerBuild['routes'] = { root: { id: 'root', path: '', module: root } };
  const add = (id: string, module: Module, { path, index }: { path?: string; index?: boolean }) => {
    routes[id] = {
      id,
      parentId: 'root',
      module,
      ...(path !== undefined && { path }),
      ...(index && { index }),
    };
  };
  for (const route of siteRoutes) {
    const load = modules[`../${route.file}`];
    if (!load) throw new Error(`no such file: ${route.file}`);
    add(route.file.replace(/\.tsx?$/, ''), await load(), {
      ...(route.path !== undefined && { path: route.path }),
      ...(route.index && { index: true }),
    });
  }
  for (const [path, module] of Object.entries(extra)) add(`extra/${path}`, module, { path });

  const { remix, routeHandle } = createRemixHandler(serverBuildOf(routes), 'production');

  return {
    remix,
    routeHandle,
    ask(path, init = {}) {
      const url = new URL(path, siteOrigin);
      const { signal } = new AbortController();
      const request = new Request(url, { signal, ...init });
      request.headers.set('host', url.host);
      return remix(
        request,
        createRequestContext(url, { signal: request.signal, requestId: 'r1', nonce: 'n1' }),
      );
    },
  };
}

/** The body of a form as a browser posts it from the site's own page. */
export function post(fields: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** A JSON body as a script of the site's own page posts it. */
export function postJson(value: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  };
}
