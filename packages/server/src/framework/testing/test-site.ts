/** A whole site in memory, for tests: its routes, its root and its framework, without Vite and without a listener. */
import { post, siteOrigin, TestBrowser } from './browser.ts';
import type { RouteMatcher } from '../../framework.ts';
import { createRequestContext } from '../../requests/request-context.ts';
import type { Site } from '../../site.ts';

export { post, siteOrigin, TestBrowser };
export type { Visit } from './browser.ts';

/** A route as `app/routes.ts` declares it. */
interface RouteEntry {
  file: string;
  id?: string;
  path?: string;
  index?: boolean;
  children?: RouteEntry[];
}

/** A request for a route: its address, and how it is sent. */
export type RouteRequest = [path: string, init?: RequestInit];

export interface TestSite extends RouteMatcher {
  /**
   * Sends a request as the listener does: one context per request, with the address on the site's
   * origin.
   *
   * @param clientAddress the visitor's IP address.
   */
  send(path: string, init?: RequestInit, clientAddress?: string): Promise<Response>;
  /**
   * A browser that keeps cookies, such as those of `createMember`.
   *
   * @param address its IP address.
   */
  browser(cookies?: readonly string[], address?: string): TestBrowser;
  /** Every request for every route of the site: pages, their data and forms, resources. */
  everyRequest: RouteRequest[];
}

/** Modules of routes as a framework types them, and that of `entry.server.tsx`. */
export interface TestSiteOptions<Module extends object, Entry> {
  site: Site;
  entry: Entry;
  root: Module;
  routes: readonly RouteEntry[];
  /** Loads a route's file, by its path in `app/`. */
  load: (file: string) => Promise<Module>;
  /** Routes that a test adds, by path. */
  extra?: Record<string, Module>;
}

interface TestRoute<Module> {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: Module;
}

/** What differs between frameworks. */
interface TestFramework<Module, Entry> {
  serverBuildOf: (routes: Record<string, TestRoute<Module>>, entry: Entry) => unknown;
  /** The address of the home page's data. */
  homeData: string;
}

export async function createSiteOf<Module extends object, Entry>(
  { serverBuildOf, homeData }: TestFramework<Module, Entry>,
  options: TestSiteOptions<Module, Entry>,
): Promise<TestSite> {
  const { site, entry, root, load, extra = {} } = options;
  const routes: Record<string, TestRoute<Module>> = {
    root: { id: 'root', path: '', module: root },
  };
  const everyRequest: RouteRequest[] = [];
  const addAll = async (entries: readonly RouteEntry[], parentId: string, parentPath: string) => {
    for (const { file, id = file.replace(/\.tsx?$/, ''), path, index, children } of entries) {
      const module = await load(file);
      routes[id] = {
        id,
        parentId,
        module,
        ...(path !== undefined && { path }),
        ...(index && { index }),
      };
      const whole = [parentPath, path].filter(Boolean).join('/');
      everyRequest.push(...requestsFor(whole, 'default' in module, homeData));
      await addAll(children ?? [], id, whole);
    }
  };
  await addAll(options.routes, 'root', '');
  for (const [path, module] of Object.entries(extra)) {
    routes[`extra/${path}`] = { id: `extra/${path}`, parentId: 'root', module, path };
  }

  const { match } = site.framework.createHandler(serverBuildOf(routes, entry), 'production', site);

  const send: TestSite['send'] = async (path, init = {}, clientAddress) => {
    const url = new URL(path, siteOrigin);
    const { signal } = new AbortController();
    const request = new Request(url, { signal, ...init });
    request.headers.set('host', url.host);
    const { method } = request;
    const own = { signal: request.signal, requestId: 'r1', nonce: 'n1', method };
    const cookie = request.headers.get('cookie') ?? '';
    const from = clientAddress === undefined ? {} : { clientAddress };
    const context = Object.assign(createRequestContext(url, site, own), { cookie, ...from });
    return (await match(url)).respond(request, context);
  };
  return {
    match,
    everyRequest,
    send,
    browser: (cookies = [], address) => new TestBrowser(send, address).keep(cookies),
  };
}

function requestsFor(route: string, isPage: boolean, homeData: string): RouteRequest[] {
  const path = `/${route
    .replaceAll(/\/?:\w+\?/g, '')
    .replaceAll(/:\w+/g, 'x')
    .replace('*', 'x/y')}`;
  if (!isPage) return [[path], [path, postJson({ text: 'x' })]];
  const data = path === '/' ? homeData : `${path}.data`;
  return [[path], [data], [path, post({ text: 'x' })], [data, post({ text: 'x' })]];
}

/** A JSON body, as a script on the site's own page posts it. */
export function postJson(value: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { origin: siteOrigin, 'content-type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  };
}
