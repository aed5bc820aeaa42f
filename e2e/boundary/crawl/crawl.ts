/**
 * Looks at the whole site as one person: follows what pages lead to, sends every form once, and remembers by
 * which addresses and submissions each route is reached.
 */
import type { Answer } from '../../harness/browser/visitor-http';
import type { Inventory, Route } from '../inventory/route';
import type { Person } from '../stage/people';
import type { SiteRequest } from '../stage/stage';
import { fillForm, formKey } from './fill-form';
import {
  actionRouteOf,
  dataAddressOf,
  isCatchAll,
  parametersOf,
  plainAddressOf,
  routeOf,
} from './match';
import { readPage, type Button, type PageForm } from './page-contents';

export interface CrawlOptions {
  inventory: Inventory;
  ask: (person: Person, request: SiteRequest) => Promise<Answer>;
  /** What `e2e/site.ts` adds to what pages lead to. */
  addresses: readonly string[];
  requests: readonly SiteRequest[];
  /** Lets the platform's work come to its end. */
  letWorkEnd: () => void;
  /** Each form is sent once and then all is looked at again. What forms lead to is left. */
  isBrief?: boolean;
}

/** What one person found. */
export interface Found {
  addresses: Map<Route, string[]>;
  submissions: Map<Route, SiteRequest[]>;
  /** Why a route was not reached: the statuses of what was tried. */
  refused: Map<Route, string[]>;
}

/** Addresses of one route that are looked at. */
const perRoute = 4;
/** Forms lead to pages with forms of their own. */
const rounds = 3;

export async function crawl(person: Person, options: CrawlOptions): Promise<Found> {
  const sent = new Map<string, { makes: boolean; isTaken: boolean }>();
  let seen = await explore(person, options);
  let unsent = options.requests;
  for (let round = 0; round < rounds; round++) {
    const fresh = seen.forms.filter(({ key }) => !sent.has(key));
    const filled = unsent.flatMap((request) => fill(request, seen) ?? []);
    unsent = unsent.filter((request) => fill(request, seen) === null);
    if (fresh.length + filled.length === 0 && round > 0) break;
    for (const request of filled) await send(request, seen);
    for (const { key, request, makes } of fresh) {
      const { status } = await send(request, seen);
      sent.set(key, { makes, isTaken: status < 400 });
    }
    options.letWorkEnd();
    seen = await explore(person, options);
    if (options.isBrief) break;
  }
  // One of the forms may have taken away what another made.
  if (!options.isBrief) {
    for (const { key, request } of seen.forms) {
      const before = sent.get(key);
      if (before?.makes && before.isTaken) await send(request, seen);
    }
    options.letWorkEnd();
    seen = await explore(person, options);
  }

  const submissions = new Map<Route, SiteRequest[]>();
  for (const { route, request } of [
    ...seen.forms,
    ...options.requests.map((request) => ({
      request: fill(request, seen),
      route: actionRouteOf(options.inventory, request.path),
    })),
  ]) {
    if (!route || !request) continue;
    const known = submissions.get(route) ?? [];
    submissions.set(route, [...known, request]);
  }
  return { addresses: seen.addresses, submissions, refused: seen.refused };

  async function send(request: SiteRequest, at: Explored): Promise<Answer> {
    const route = actionRouteOf(options.inventory, request.path);
    const isPage = route?.kind === 'page' && options.inventory.hasDataRequests;
    const answer = await options.ask(person, {
      ...request,
      // As a script sends it. The action runs alone then, and what it asks is known to be its own.
      path: isPage ? dataAddressOf(request.path) : request.path,
    });
    at.note(answer, request.path);
    return answer;
  }
}

interface FoundForm {
  key: string;
  route: Route | null;
  request: SiteRequest;
  /** Whether somebody types in it: it makes something, as far as a form can tell. */
  makes: boolean;
}

interface Explored extends Pick<Found, 'addresses' | 'refused'> {
  forms: FoundForm[];
  note: (answer: Answer, from: string) => void;
}

async function explore(
  person: Person,
  { inventory, ask, addresses }: CrawlOptions,
): Promise<Explored> {
  const reached = new Map<Route, string[]>();
  const refused = new Map<Route, string[]>();
  const forms = new Map<string, FoundForm>();
  const asked = new Set<string>();
  const queue: string[] = [];
  const tried = new Map<Route, number>();

  const suggest = (path: string) => {
    if (asked.has(path)) return;
    const route = routeOf(inventory, path);
    if (!route) return;
    const plain = plainAddressOf(route);
    if (isCatchAll(route) && path !== plain) return;
    const times = tried.get(route) ?? 0;
    if (times >= perRoute) return;
    tried.set(route, times + 1);
    asked.add(path);
    queue.push(path);
  };
  const suggestAll = (text: string, from: string) => {
    for (const path of addressesIn(text, from)) {
      suggest(path);
      // A file's address holds that of the thing it belongs to.
      const { pathname } = new URL(path, 'http://site.invalid');
      for (let end = pathname.lastIndexOf('/'); end > 0; end = pathname.lastIndexOf('/', end - 1))
        suggest(pathname.slice(0, end));
    }
  };
  const noteForm = (form: PageForm, button: Button, page: string) => {
    const request = fillForm(form, button, page, person);
    if (request.path.startsWith('/__auth')) return;
    if ((request.method ?? 'GET') === 'GET') {
      suggest(request.path);
      return;
    }
    const route = actionRouteOf(inventory, request.path);
    const key = formKey(form, button, route?.id ?? request.path);
    const makes = form.controls.some(({ type, kind }) => kind === 'textarea' || typed.has(type));
    if (!forms.has(key)) forms.set(key, { key, route, request, makes });
  };
  const note = (answer: Answer, from: string) => {
    const { location } = answer.headers;
    if (location) suggestAll(`"${location}"`, from);
    if (!isText(answer)) return;
    if (/html/.test(answer.headers['content-type'] ?? '')) {
      const page = readPage(answer.text);
      for (const link of page.links) suggestAll(`"${link}"`, from);
      for (const form of page.forms)
        for (const button of form.buttons) noteForm(form, button, from);
    }
    suggestAll(answer.text, from);
  };

  for (const route of inventory.routes) {
    const plain = route.isLayout ? null : plainAddressOf(route);
    if (plain !== null) suggest(plain);
  }
  addresses.forEach(suggest);
  for (;;) {
    if (queue.length === 0) guessedAddresses(inventory, reached, tried).forEach(suggest);
    const path = queue.shift();
    if (path === undefined) break;
    const route = routeOf(inventory, path);
    if (!route) continue;
    const answer = await ask(person, { path });
    const isThere = answer.status < 400 || isCatchAll(route) || takesNoReads(route, answer);
    const list = isThere ? reached : refused;
    list.set(route, [...(list.get(route) ?? []), isThere ? path : `${path}: ${answer.status}`]);
    note(answer, path);
    if (route.kind !== 'page' || !inventory.hasDataRequests || !isThere) continue;
    for (const one of chainOf(inventory, route)) {
      if (one.loader) note(await ask(person, { path: dataAddressOf(path, one.id) }), path);
    }
  }
  return { addresses: reached, refused, forms: [...forms.values()], note };
}

/**
 * Addresses of routes that nothing leads to, by what the same parameters were at other routes:
 * `/prints/7/cancel`, which only a script posts to, by `/prints/7`.
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

/** It is there to be posted to: a read is refused, with 405 by a loader that does nothing else. */
function takesNoReads({ loader, action }: Route, { status }: Answer): boolean {
  return action !== null && (loader === null || status === 405);
}

const typed = new Set(['text', 'search', 'email', 'url', 'tel', 'file', 'number', 'date']);

/** The route and the layouts around it that have its address. */
function chainOf({ routes }: Inventory, route: Route): Route[] {
  const above = routes.filter(
    ({ isLayout, path }) => isLayout && (route.path === path || route.path.startsWith(`${path}/`)),
  );
  return [...above, route];
}

function isText({ headers }: Answer): boolean {
  return /^(text|application\/(json|javascript|xml))|x-script|turbo/.test(
    headers['content-type'] ?? '',
  );
}

/** What reads like an address of this site: in an attribute, in JSON, in Remix's page data. */
function* addressesIn(text: string, from: string): Iterable<string> {
  for (const [, quoted = ''] of text.matchAll(
    /["'(]((?:https?:\/)?\/[^"'()\\\s<>]*|\?[^"'()\\\s<>]*)/g,
  )) {
    const base = `http://site.invalid${from}`;
    const address = quoted.replaceAll('&amp;', '&');
    if (!URL.canParse(address, base) || address.startsWith('//')) continue;
    const { hostname, pathname, search } = new URL(address, base);
    const isOurs = hostname === 'site.invalid' || hostname === 'site.localhost';
    if (isOurs && !/^\/(__auth|assets)(\/|$)|\.data$/.test(pathname)) yield pathname + search;
  }
}

/** A request of `e2e/site.ts` may name a pattern: an address that was found stands in for it. Null while none was. */
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
