/**
 * What a route declares about itself: `export const handle = { access: 'none' } satisfies
 * RouteHandle`. Everything omitted has the strictest value.
 */
import type { ComponentType } from 'react';
import type { RouteHandle } from '@gatehouse/server/route';

export type { RouteHandle } from '@gatehouse/server/route';

/** The handle of a page that adds to the header. */
export interface HandleWithTools extends RouteHandle {
  /**
   * Rendered in the header beside the platform's identity while the page is open, with the page's
   * loader data.
   */
  tools?: ComponentType<{ data: unknown }>;
}
