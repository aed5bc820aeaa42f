/** Which operations of the platform each route uses. */
import type { Inventory, Route } from '../inventory/route.ts';
import { handlerOf } from './listen.ts';

/** The operations that each route's loader and action called, from requests that run only one of them. */
export function operationsByRoute(inventory: Inventory) {
  const used = new Map<string, Record<'loader' | 'action', Set<string>>>();
  const of = ({ id }: Route) => {
    const known = used.get(id) ?? { loader: new Set<string>(), action: new Set<string>() };
    used.set(id, known);
    return known;
  };
  return {
    of,
    note({
      siteRequest,
      endpoint,
    }: {
      siteRequest: { method: string; path: string } | null;
      endpoint: string;
    }) {
      // An unknown endpoint is already reported, and the simulator has no fault for it.
      if (!siteRequest || endpoint === 'user' || endpoint === 'unknown') return;
      const ran = handlerOf(siteRequest, inventory);
      if (ran?.handler) of(ran.route)[ran.handler].add(endpoint);
    },
  };
}
