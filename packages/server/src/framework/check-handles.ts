/** What routes may declare of themselves. Checked when the server starts. */
import { RouteHandleError, type RouteHandle } from '../route.ts';
import type { Site } from '../site.ts';

interface DeclaredRoute {
  id: string;
  /** The complete pattern, such as `/orders/:id`. */
  path: string;
  handle: RouteHandle;
  /** Whether it renders something. */
  isPage: boolean;
}

interface CheckedRoute extends DeclaredRoute {
  /** By its address, not by what it exports. */
  isResource: boolean;
}

/** What is wrong with a route, as the rest of the sentence. */
const faults: ((route: CheckedRoute) => string | false)[] = [
  // Pages show who the visitor is, and cross-site requests must not trigger their actions.
  ({ handle: { access }, isPage, isResource }) =>
    access === 'machine' &&
    (isPage || !isResource) &&
    "access 'machine' is for a resource route: it must be under /api/ or named in `resources` of app/site.config.ts, and not be a page",

  ({ handle: { role, access } }) =>
    role !== undefined &&
    access !== 'account' &&
    access !== 'both' &&
    "`role` needs `access: 'account'` or `'both'`: accounts of the site have roles",

  ({ handle: { cache, access } }) =>
    cache !== undefined &&
    access !== 'none' &&
    "`cache` needs `access: 'none'`: what caches keep is for everybody",

  ({ handle: { cache } }) =>
    cache !== undefined &&
    !areSeconds(cache.maxAge, cache.staleWhileRevalidate ?? 0) &&
    '`cache` needs whole seconds: { maxAge: 60, staleWhileRevalidate: 600 }',

  ({ handle: { embeddable, access }, isPage }) =>
    embeddable !== undefined &&
    (isPage || access !== 'none') &&
    "`embeddable` is for a resource route with `access: 'none'`, such as a public picture",

  ({ handle: { shows, access } }) =>
    shows !== undefined &&
    (access === 'machine' || (shows as string) !== 'published') &&
    "`shows` is 'published', for a route that people see",

  // W24: downloads accept nothing else, and a link to it would be a native download.
  ({ path, handle: { access }, isResource }) =>
    isResource &&
    !/^\/api(\/|$)/i.test(path) &&
    access !== 'none' &&
    access !== 'machine' &&
    "a resource outside /api/ needs `access: 'none'` or `access: 'machine'`: what is protected is under /api/",

  ({ path, isPage, isResource }) =>
    isResource &&
    isPage &&
    `${path} is named in \`resources\` of app/site.config.ts, and is a page`,
];

/** @throws {RouteHandleError} for the first route whose handle is invalid. */
export function checkHandles(
  routes: readonly DeclaredRoute[],
  isResource: Site['isResource'],
): void {
  for (const route of routes) {
    const checked = { ...route, isResource: isResource(route.path) };
    for (const faultOf of faults) {
      const fault = faultOf(checked);
      if (fault !== false) throw new RouteHandleError(`${route.id}: ${fault}.`);
    }
  }
}

function areSeconds(...values: unknown[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && Number(value) >= 0);
}
