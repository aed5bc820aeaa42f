/**
 * What a route says of itself, in its own file: `export const handle = { access: 'none' } satisfies RouteHandle`.
 * Whatever it leaves out has the strictest value.
 */
// auth: platform
import type { ComponentType } from 'react';
import type { RouteHandle } from 'site-server/route';

// /auth
export type { RouteHandle } from 'site-server/route';

// auth: platform
/** Of a page that adds to the header. */
export interface HandleWithTools extends RouteHandle {
  /** Stands beside who is signed in at the platform, while the page is open. It is given what the page's loader said. */
  tools?: ComponentType<{ data: unknown }>;
}
// /auth
