/** What the server asks of the framework that routes and renders the site. `framework/` keeps each in a folder. */
import type { RequestContext } from './requests/request-context.ts';
import type { RouteHandle } from './route.ts';
import type { Site } from './site.ts';

export interface Framework {
  /** The server build's module, for Vite. */
  serverBuild: string;
  addresses: FrameworkAddresses;
  /** A request's context in a framework that takes only its own class: routes get what this returns. */
  contextOf?: <Context extends RequestContext>(context: Context) => Context;
  /**
   * @param build what the module {@link Framework.serverBuild} exports.
   * @throws {RouteHandleError} when a route's handle is invalid.
   */
  createHandler(
    build: unknown,
    mode: 'development' | 'production',
    site: Pick<Site, 'isResource' | 'responseFor'>,
  ): RouteMatcher;
  /** The same build, which also calls back with what a loader, an action or a component throws, before it is logged. */
  withErrorHook(build: unknown, onError: (error: unknown) => void): unknown;
  /** The addresses of the modules that the build's pages load in the browser. */
  browserModulesOf(build: unknown): string[];
}

/** How the framework's own requests are spelled: for the data of pages, and for their forms. */
export interface FrameworkAddresses {
  /** Whether a path is that of a page's data. */
  isData: (pathname: string) => boolean;
  /** The page of an address, in the page's own spelling: for its data and forms, without what the framework adds. */
  pageOf: (address: PageAddress, method?: string) => PageAddress;
  /** Whether the address calls a loader in a way that bypasses the framework's own checks. */
  bypassesChecks: (url: URL) => boolean;
}

export type PageAddress = Pick<URL, 'pathname' | 'search'>;

export interface RouteMatcher {
  /** The route for an address that is not a file's. */
  match: (url: URL) => MatchedRoute | Promise<MatchedRoute>;
}

export interface MatchedRoute {
  /** The merged handles of the route and its layouts. */
  handle: RouteHandle;
  respond: (request: Request, context: RequestContext) => Promise<Response>;
}
