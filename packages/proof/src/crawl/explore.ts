/** Requests the pages of the site as one person: follows links, and tries addresses that no page links to. */
import pLimit from 'p-limit';
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { marksIn } from '../people/words.ts';
import { readLeads, type Leads } from './leads.ts';
import { dataAddressOf, isCatchAll, parametersOf, plainAddressOf, routeOf } from './match.ts';

export interface ExploreOptions {
  inventory: Inventory;
  /** Null where there is no response, which is already reported. */
  send: (person: Person, request: SiteRequest) => Promise<ReceivedResponse | null>;
  /** What a route's responses made the crawl throw. */
  reportUntested: (route: Route, error: unknown) => void;
  /** Addresses from `e2e/site.ts`, which no page links to. */
  addresses: readonly string[];
  /** Makes the crawl brief: submits only forms of these routes, once, because the routes have been crawled before. */
  only?: (route: Route) => boolean;
}

export interface RefusedAddress {
  path: string;
  /** Null where there was no response. */
  status: number | null;
  /** The id of the request in the site's log, if it has one. */
  requestId: string | null;
}

/** The most addresses to request per route. */
const perRoute = 4;

/** How many addresses to request at once: one may be a stream of events, which takes its time. */
const atOnce = 4;

export interface Explored extends Pick<Leads, 'forms'> {
  addresses: Map<Route, string[]>;
  /** Addresses that did not work. */
  refused: Map<Route, RefusedAddress[]>;
  /** An address that shows the marker of the person's site account; null if none does. */
  witness: string | null;
}

/** Requests every route that can be reached from the known addresses. */
export async function explore(
  person: Person,
  { inventory, send, addresses, only: isWanted, reportUntested }: ExploreOptions,
  led: Leads,
): Promise<Explored> {
  const reached = new Map<Route, string[]>();
  const refused = new Map<Route, RefusedAddress[]>();
  // A form on a page overrides one in an action's response, because its values are newer.
  const leads: Leads = { addresses: new Set(), forms: new Map() };
  const requested = new Set<string>();
  const queue: Address[] = [];
  const tried = new Map<Route, number>();
  let witness: string | null = null;

  const suggest = (path: string) => {
    if (requested.has(path)) return;
    const route = routeOf(inventory, path);
    if (!route) return;
    // Static files are not routes, but match the catch-all route.
    const isFile = route.path === '/*' && path !== plainAddressOf(route);
    if (isFile && !addresses.includes(path)) return;
    const times = tried.get(route) ?? 0;
    if (times >= perRoute) return;
    tried.set(route, times + 1);
    requested.add(path);
    queue.push({ path, route });
  };
  const note = (response: ReceivedResponse | null, from: string, only?: SiteRequest['only']) => {
    if (!response) return;
    readLeads(response, { from, only, person, inventory }, leads);
    leads.addresses.forEach(suggest);
    leads.addresses.clear();
  };

  for (const route of inventory.routes) {
    const plain = route.isLayout ? null : plainAddressOf(route);
    if (plain !== null) suggest(plain);
  }
  addresses.forEach(suggest);
  led.addresses.forEach(suggest);
  const limit = pLimit(atOnce);
  for (;;) {
    if (queue.length === 0) guessedAddresses(inventory, reached, tried).forEach(suggest);
    const wave = queue.splice(0);
    if (wave.length === 0) break;
    const visits = await Promise.allSettled(wave.map((address) => limit(visit, address)));
    // In the order of the addresses, so that each crawl of a site finds the same.
    for (const [index, outcome] of visits.entries()) {
      const address = wave[index];
      if (!address) continue;
      try {
        if (outcome.status === 'rejected') throw outcome.reason;
        noteVisit(address, outcome.value);
      } catch (error) {
        reportUntested(address.route, error);
      }
    }
  }
  const forms = new Map([...led.forms, ...leads.forms]);
  return { addresses: reached, refused, forms, witness };

  function refuse(route: Route, address: RefusedAddress): void {
    refused.set(route, [...(refused.get(route) ?? []), address]);
  }

  function isThere(path: string, route: Route, response: ReceivedResponse): boolean {
    // A catch-all route is right to respond with 404 to a made-up address.
    const isMadeUp = isCatchAll(route) && path === plainAddressOf(route);
    return response.status < 400 || isMadeUp || takesNoReads(route, response);
  }

  async function visit({ path, route }: Address): Promise<Visit> {
    const response = await send(person, { path });
    // In a brief crawl the operations of each loader are already known.
    if (!response || isWanted) return { response, withoutAccount: null, loaders: [] };
    const isRedirect = response.status >= 300 && response.status < 400;
    const isPage = route.kind === 'page';
    // Sign-up and sign-in pages redirect visitors who have an account: request them without it.
    const withoutAccount =
      person.account && isPage && isRedirect && route.access === 'none'
        ? await send(person, { path, only: 'platform' })
        : null;
    const loaders: (ReceivedResponse | null)[] = [];
    if (isPage && inventory.homeData !== null && isThere(path, route, response)) {
      for (const nested of chainOf(inventory, route)) {
        if (nested.loader)
          loaders.push(await send(person, { path: dataAddressOf(inventory, path, nested.id) }));
      }
    }
    return { response, withoutAccount, loaders };
  }

  function noteVisit({ path, route }: Address, visited: Visit): void {
    const { response, withoutAccount, loaders } = visited;
    if (!response) {
      refuse(route, { path, status: null, requestId: null });
      return;
    }
    if (isThere(path, route, response)) reached.set(route, [...(reached.get(route) ?? []), path]);
    else {
      const id = response.headers['x-request-id'];
      const requestId = typeof id === 'string' ? id : null;
      refuse(route, { path, status: response.status, requestId });
    }
    note(response, path);
    if (route.access === 'account' && person.account && response.status < 300) {
      if (marksIn(response.text).has(person.account.mark)) witness ??= path;
    }
    note(withoutAccount, path, 'platform');
    for (const loaded of loaders) note(loaded, path);
  }
}

interface Address {
  path: string;
  route: Route;
}

/** The responses at an address; null for one that was not requested, or did not arrive. */
interface Visit {
  response: ReceivedResponse | null;
  withoutAccount: ReceivedResponse | null;
  /** From each loader alone. */
  loaders: readonly (ReceivedResponse | null)[];
}

/**
 * Addresses for routes that no page links to, with parameter values found at other routes: `/prints/7/cancel`, to which
 * only a script posts, from `/prints/7`.
 */
function guessedAddresses(
  { routes }: Inventory,
  reached: ReadonlyMap<Route, readonly string[]>,
  tried: ReadonlyMap<Route, number>,
): string[] {
  const seen = new Map<string, string[]>();
  for (const [route, addresses] of reached) {
    for (const address of addresses) {
      for (const [name, value] of Object.entries(parametersOf(route, address)))
        seen.set(name, [...(seen.get(name) ?? []), value]);
    }
  }
  return routes
    .filter((route) => !route.isLayout && !isCatchAll(route) && !tried.has(route))
    .flatMap(({ path }) =>
      Array.from({ length: perRoute }, (_, number) =>
        path.replaceAll(/\/:(\w+)\??/g, (whole, name: string) => {
          const values = [...new Set(seen.get(name))];
          return values.length > 0 ? `/${values[number % values.length] ?? ''}` : whole;
        }),
      ),
    )
    .filter((address) => !address.includes('/:'));
}

/** A route that takes only writes: it has no loader, or one that responds with 405. */
function takesNoReads({ loader, action }: Route, { status }: ReceivedResponse): boolean {
  return action !== null && (status === 405 || (loader === null && status < 500));
}

/** The layouts around a route, and the route. */
function chainOf({ routes }: Inventory, route: Route): Route[] {
  const above = routes.filter(
    ({ isLayout, path }) => isLayout && (route.path === path || route.path.startsWith(`${path}/`)),
  );
  return [...above, route];
}
