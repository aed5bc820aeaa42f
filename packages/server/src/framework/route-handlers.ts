/** Wraps the routes' loaders and actions: redirects stay on the site, and known errors become the site's responses. */
import { allowedToLeave } from '../route.ts';
import type { RequestContext } from '../requests/request-context.ts';
import { withoutVisitor } from '../responses/publication.ts';
import type { Site } from '../site.ts';
import { isDeferred } from './deferred-data.ts';

interface HandlerArgs {
  request: Request;
  context: RequestContext;
}

type Handler = (args: HandlerArgs) => unknown;

/**
 * The same routes, whose handlers throw instead of redirecting to another site, except through `externalRedirect`.
 * Checked here because for client navigations frameworks put redirects into the data, where no header shows them.
 *
 * @param responseFor the site's response for an error, where the framework would only respond with 500.
 * @param requestOf the request as handlers are to see it.
 */
export function wrapHandlers<Route extends { module: object }>(
  routes: Record<string, Route | undefined>,
  responseFor: Site['responseFor'],
  requestOf = (request: Request) => request,
): Record<string, Route> {
  const wrapped =
    (handler: Handler): Handler =>
    async (given) => {
      const args = { ...given, request: requestOf(given.request) };
      try {
        const result = await handler(args);
        if (leavesSite(result, args.request)) throw wouldLeave();
        if (args.context.isPublic && isDeferred(result)) throw deferred();
        return result;
      } catch (thrown) {
        const error = leavesSite(thrown, args.request) ? wouldLeave() : thrown;
        const response = responseFor?.(error, args.context) ?? error;
        // Remix would add `x-remix-catch` to a resource's thrown response, which is its response like any other.
        if (response instanceof Response && args.context.kind === 'resource') return response;
        throw response;
      }
    };
  return Object.fromEntries(
    Object.entries(routes).flatMap(([id, route]): [string, Route][] => {
      if (!route) return [];
      const { loader, action }: { loader?: Handler; action?: Handler } = route.module;
      const module = {
        ...route.module,
        ...(loader && { loader: id === 'root' ? wrapped(loader) : forEverybody(wrapped(loader)) }),
        ...(action && { action: wrapped(action) }),
      };
      return [[id, { ...route, module }]];
    }),
  );
}

/** The same loader, which knows nobody when it loads the data of a page that caches may keep. */
function forEverybody(loader: Handler): Handler {
  return (args) => {
    const context = args.context.publicContext;
    return context
      ? loader({ ...args, context, request: withoutVisitor(args.request) })
      : loader(args);
  };
}

function leavesSite(result: unknown, { url }: Request): boolean {
  if (!(result instanceof Response) || allowedToLeave in result) return false;
  const location = result.headers.get('location');
  if (location === null || result.status < 300 || result.status > 399) return false;
  return !URL.canParse(location, url) || new URL(location, url).origin !== new URL(url).origin;
}

const wouldLeave = () =>
  new Error('A redirect would leave the site. If it should, use externalRedirect.');

const deferred = () =>
  new Error('A page with `handle.cache` is sent whole. Await in its loader what is to be in it.');
