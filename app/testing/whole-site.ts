/** The whole site for tests: the real routes, root and Remix, without Vite and without a listener. */
import type { ServerBuild } from '@remix-run/node';
import { createRemixHandler, createRequestContext, type RemixSite } from 'site-server';
import { serverBuildOf } from 'site-server/test/server-build';
import * as entry from '~/entry.server';
import { isApiPath } from '~/frame/api-path';
import * as root from '~/root';
import siteRoutes from '~/routes';

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

  const { match } = createRemixHandler(serverBuildOf(routes, entry), 'production', isApiPath);

  return {
    match,
    async ask(path, init = {}) {
      const url = new URL(path, siteOrigin);
      const { signal } = new AbortController();
      const request = new Request(url, { signal, ...init });
      request.headers.set('host', url.host);
      const own = { signal: request.signal, requestId: 'r1', nonce: 'n1' };
      return (await match(url)).answer(request, createRequestContext(url, isApiPath, own));
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
