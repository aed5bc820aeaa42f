/**
 * Crawls the whole site as one person: follows links, submits every form once, and records which addresses and
 * submissions reach each route.
 */
import type { Answer } from '@gatehouse/simulator/http';
import type { Inventory, Route } from '../inventory/route';
import type { Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import { readLeads, type FoundForm, type Leads } from './leads';
import {
  actionRouteOf,
  dataAddressOf,
  isCatchAll,
  parametersOf,
  plainAddressOf,
  routeOf,
} from './match';

export interface CrawlOptions {
  inventory: Inventory;
  /** Null where there is no response, which is already reported. */
  send: (person: Person, request: SiteRequest) => Promise<Answer | null>;
  /** What a route's responses made the crawl throw. */
  reportUntested: (route: Route, error: unknown) => void;
  /** Addresses from `e2e/site.ts`, which no page links to. */
  addresses: readonly string[];
  requests: readonly SiteRequest[];
  /** Lets the platform's jobs finish. */
  letWorkEnd: () => void;
  /** Signs a person in to their site account again. */
  renewAccount: (person: Person) => Promise<void>;
  /** Makes the crawl brief: submits only forms of these routes, once, because the routes have been crawled before. */
  only?: (route: Route) => boolean;
}

/** The result of one person's crawl. */
export interface Found {
  addresses: Map<Route, string[]>;
  submissions: Map<Route, SiteRequest[]>;
  /** Addresses that did not work. */
  refused: Map<Route, RefusedAddress[]>;
  /** Each form that was sent, and whether the site has accepted it at least once. */
  forms: Map<string, SentForm>;
}

export interface RefusedAddress {
  path: string;
  /** Null where there was no response. */
  status: number | null;
  /** The id of the request in the site's log, if it has one. */
  requestId: string | null;
}

export interface SentForm {
  route: Route | null;
  /** Such as `POST /notes with text (422)`. */
  at: string;
  /** The names of the fields that a visitor fills in; null for a request of `e2e/site.ts`. */
  names: readonly string[] | null;
  /** Whether it has fields to type in. */
  makes: boolean;
  isAccepted: boolean;
}

/** The most addresses to request per route. */
const perRoute = 4;
/** Submissions reveal pages with more forms. */
const rounds = 3;

export async function crawl(person: Person, options: CrawlOptions): Promise<Found> {
  const { inventory, only: isWanted } = options;
  const sent = new Map<string, { makes: boolean; isTaken: boolean; body: SiteRequest['body'] }>();
  const ending = new Set<string>();
  const accepted = new Map<string, SentForm>();
  /** Links and forms in the responses to submissions. */
  const led: Leads = { addresses: new Set(), forms: new Map() };
  const look = async () => {
    const { forms, ...seen } = await explore(person, options, led);
    const list = [...forms.values()];
    return {
      ...seen,
      forms: isWanted ? list.filter(({ route }) => route && isWanted(route)) : list,
    };
  };

  let seen = await look();
  let unsent = options.requests;
  for (let round = 0; round < rounds; round++) {
    const fresh = seen.forms.filter((form) => !sent.has(form.key) || mayBeAccepted(form));
    const filled = unsent.flatMap((request) => fill(request, seen) ?? []);
    unsent = unsent.filter((request) => fill(request, seen) === null);
    if (fresh.length + filled.length === 0 && round > 0) break;
    for (const request of filled) {
      const { method = 'GET', path } = request;
      const route = actionRouteOf(inventory, path);
      note(`${method} ${path}`, { route, request, names: null, makes: false }, await send(request));
    }
    for (const { key, route, request, makes, wantsPassword, names } of fresh) {
      const response = await send(request);
      if (!wantsPassword) note(key, { route, request, names, makes }, response);
      const isEnded = await hasEnded(request);
      if (isEnded) ending.add(key);
      const isTaken = response !== null && response.status < 400 && !isEnded;
      sent.set(key, { makes, isTaken, body: request.body });
    }
    options.letWorkEnd();
    seen = await look();
    if (isWanted) break;
  }
  // One form may have deleted what another created.
  if (!isWanted) {
    for (const form of seen.forms) {
      const before = sent.get(form.key);
      if (!before?.makes || !(before.isTaken || mayBeAccepted(form))) continue;
      const response = await send(form.request);
      if (!form.wantsPassword) note(form.key, form, response);
    }
    options.letWorkEnd();
    seen = await look();
  }

  const submissions = new Map<Route, SiteRequest[]>();
  for (const { route, request } of [
    ...seen.forms.map(({ key, route, request }) => ({
      route,
      request: ending.has(key) ? { ...request, endsSession: true } : request,
    })),
    ...options.requests.map((request) => ({
      request: fill(request, seen),
      route: actionRouteOf(inventory, request.path),
    })),
  ]) {
    if (!route || !request) continue;
    const known = submissions.get(route) ?? [];
    submissions.set(route, [...known, request]);
  }
  return { addresses: seen.addresses, submissions, refused: seen.refused, forms: accepted };

  /** A form may have been refused because another one had changed what both are about. Its page has newer values now. */
  function mayBeAccepted({ key, request }: FoundForm): boolean {
    return accepted.get(key)?.isAccepted === false && sent.get(key)?.body !== request.body;
  }

  function note(
    key: string,
    {
      route,
      request,
      names,
      makes,
    }: Omit<SentForm, 'at' | 'isAccepted'> & { request: SiteRequest },
    response: Answer | null,
  ): void {
    const { method = 'POST', path } = request;
    const fields = names && names.length > 0 ? ` with ${names.join(', ')}` : '';
    const at = `${method} ${path}${fields} (${response?.status ?? 'no response'})`;
    const isAccepted = response !== null && response.status < 400;
    const before = accepted.get(key)?.isAccepted ?? false;
    accepted.set(key, { route, at, names, makes, isAccepted: before || isAccepted });
  }

  async function send(request: SiteRequest): Promise<Answer | null> {
    const { path, only } = request;
    const route = actionRouteOf(inventory, path);
    const isPage = route?.kind === 'page' && inventory.hasDataRequests;
    const response = await options.send(person, {
      ...request,
      // At the `.data` URL only the action runs, so every call belongs to it.
      path: isPage ? dataAddressOf(path) : path,
    });
    if (response) readLeads(response, { from: path, only, person, inventory }, led);
    return response;
  }

  /** Whether the form ended the session: a page that showed the account's marker no longer does. */
  async function hasEnded({ only }: SiteRequest): Promise<boolean> {
    if (only === 'platform' || seen.witness === null) return false;
    const page = await options.send(person, { path: seen.witness });
    if (page && page.status < 300 && page.text.includes(person.account?.mark ?? '')) return false;
    await options.renewAccount(person);
    return true;
  }
}

interface Explored extends Pick<Found, 'addresses' | 'refused'>, Pick<Leads, 'forms'> {
  /** An address that shows the marker of the person's site account; null if none does. */
  witness: string | null;
}

/** Requests every route that can be reached from the known addresses. */
async function explore(
  person: Person,
  { inventory, send, addresses, only: isWanted, reportUntested }: CrawlOptions,
  led: Leads,
): Promise<Explored> {
  const reached = new Map<Route, string[]>();
  const refused = new Map<Route, RefusedAddress[]>();
  // A form on a page overrides one in an action's response, because its values are newer.
  const leads: Leads = { addresses: new Set(), forms: new Map() };
  const requested = new Set<string>();
  const queue: string[] = [];
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
    queue.push(path);
  };
  const note = (response: Answer | null, from: string, only?: SiteRequest['only']) => {
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
  for (;;) {
    if (queue.length === 0) guessedAddresses(inventory, reached, tried).forEach(suggest);
    const path = queue.shift();
    if (path === undefined) break;
    const route = routeOf(inventory, path);
    if (!route) continue;
    await visit(path, route).catch((error: unknown) => {
      reportUntested(route, error);
    });
  }
  const forms = new Map([...led.forms, ...leads.forms]);
  return { addresses: reached, refused, forms, witness };

  function refuse(route: Route, address: RefusedAddress): void {
    refused.set(route, [...(refused.get(route) ?? []), address]);
  }

  async function visit(path: string, route: Route): Promise<void> {
    const response = await send(person, { path });
    if (!response) {
      refuse(route, { path, status: null, requestId: null });
      return;
    }
    // A catch-all route is right to respond with 404 to a made-up address.
    const isMadeUp = isCatchAll(route) && path === plainAddressOf(route);
    const isThere = response.status < 400 || isMadeUp || takesNoReads(route, response);
    if (isThere) reached.set(route, [...(reached.get(route) ?? []), path]);
    else {
      const id = response.headers['x-request-id'];
      const requestId = typeof id === 'string' ? id : null;
      refuse(route, { path, status: response.status, requestId });
    }
    note(response, path);
    if (route.access === 'account' && person.account && response.status < 300) {
      if (response.text.includes(person.account.mark)) witness ??= path;
    }
    // In a brief crawl the operations of each loader are already known.
    if (isWanted) return;
    // Sign-up and sign-in pages redirect visitors who have an account: request them without it.
    if (
      person.account &&
      route.kind === 'page' &&
      response.status >= 300 &&
      response.status < 400
    ) {
      const only = 'platform';
      if (route.access === 'none') note(await send(person, { path, only }), path, only);
    }
    if (route.kind !== 'page' || !inventory.hasDataRequests || !isThere) return;
    for (const one of chainOf(inventory, route)) {
      if (one.loader) note(await send(person, { path: dataAddressOf(path, one.id) }), path);
    }
  }
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
function takesNoReads({ loader, action }: Route, { status }: Answer): boolean {
  return action !== null && (status === 405 || (loader === null && status < 500));
}

/** The layouts around a route, and the route. */
function chainOf({ routes }: Inventory, route: Route): Route[] {
  const above = routes.filter(
    ({ isLayout, path }) => isLayout && (route.path === path || route.path.startsWith(`${path}/`)),
  );
  return [...above, route];
}

/** Replaces a path pattern in a request of `e2e/site.ts` by an address that the crawl found; null if it found none. */
function fill(
  request: SiteRequest,
  { addresses }: Pick<Explored, 'addresses'>,
): SiteRequest | null {
  if (!request.path.includes('/:')) return request;
  for (const [route, [address]] of addresses) {
    if (route.path === request.path && address) return { ...request, path: address };
  }
  return null;
}
