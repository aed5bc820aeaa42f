/**
 * The whole site for tests: the real routes, root and Remix, without Vite and without a listener.
 */
import type { ServerBuild } from '@remix-run/node';
import type { RouteConfigEntry } from '@remix-run/route-config';
import { createRequestContext, type RouteMatcher } from '@gatehouse/server';
import { serverBuildOf } from '@gatehouse/server/remix/testing';
import * as entry from '~/entry.server';
import * as root from '~/root';
import siteRoutes from '~/routes';
import { site as server } from '~/server/site';

type Module = ServerBuild['routes'][string]['module'];

const modules = import.meta.glob<Module>(['../**/routes/**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}']);

export const siteOrigin = 'https://site.example';

export interface Site extends RouteMatcher {
  /**
   * Sends a request as the listener does: one context per request, with the address on the site's
   * origin.
   */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Every request for every route of `routes.ts`: pages, their data and forms, resources. */
  everyRequest: SentRequest[];
}

export type SentRequest = [path: string, init?: RequestInit];

/** @param extra routes that a test adds, by path. */
export async function startSite(extra: Record<string, Module> = {}): Promise<Site> {
  const routes: ServerBuild['routes'] = { root: { id: 'root', path: '', module: root } };
  const everyRequest: SentRequest[] = [];
  const add = (
    id: string,
    module: Module,
    { parentId = 'root', path, index }: { parentId?: string; path?: string; index?: boolean },
  ) => {
    routes[id] = {
      id,
      parentId,
      module,
      ...(path !== undefined && { path }),
      ...(index && { index }),
    };
  };
  const addAll = async (entries: RouteConfigEntry[], parentId: string, parentPath: string) => {
    for (const { file, id = file.replace(/\.tsx?$/, ''), path, index, children } of entries) {
      const load = modules[`../${file}`];
      if (!load) throw new Error(`No such file: ${file}`);
      const module = await load();
      add(id, module, {
        parentId,
        ...(path !== undefined && { path }),
        ...(index && { index }),
      });
      const whole = [parentPath, path].filter(Boolean).join('/');
      everyRequest.push(...requestsFor(whole, module.default !== undefined));
      await addAll(children ?? [], id, whole);
    }
  };
  await addAll(siteRoutes, 'root', '');
  for (const [path, module] of Object.entries(extra)) add(`extra/${path}`, module, { path });

  const { match } = server.framework.createHandler(
    serverBuildOf(routes, entry),
    'production',
    server,
  );

  return {
    match,
    everyRequest,
    async send(path, init = {}) {
      const url = new URL(path, siteOrigin);
      const { signal } = new AbortController();
      const request = new Request(url, { signal, ...init });
      request.headers.set('host', url.host);
      const { method } = request;
      const own = { signal: request.signal, requestId: 'r1', nonce: 'n1', method };
      const cookie = request.headers.get('cookie') ?? '';
      const context = { ...createRequestContext(url, server, own), cookie };
      return (await match(url)).respond(request, context);
    },
  };
}

function requestsFor(route: string, isPage: boolean): SentRequest[] {
  const path = `/${route
    .replaceAll(/\/?:\w+\?/g, '')
    .replaceAll(/:\w+/g, 'x')
    .replace('*', 'x/y')}`;
  if (!isPage) return [[path], [path, postJson({ text: 'x' })]];
  const data = path === '/' ? '/_root.data' : `${path}.data`;
  return [[path], [data], [path, post({ text: 'x' })], [data, post({ text: 'x' })]];
}

/** The body of a form, as a browser posts it from the site's own page. */
export function post(fields: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** A JSON body, as a script on the site's own page posts it. */
export function postJson(value: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  };
}
