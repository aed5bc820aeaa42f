/**
 * What a route says of itself, in its own file: `export const handle = { access: 'none' } satisfies RouteHandle`.
 * Whatever it leaves out has the strictest value.
 */
export type { RouteAccess, RouteHandle } from 'site-server/route';
