/**
 * Crawls the whole site as one person: follows links, sends every form once, and records which addresses and
 * submissions reach each route.
 */
import type { Answer } from '../../harness/browser/visitor-http';
import type { Inventory, Route } from '../inventory/route';
import type { Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import { destinationOf, fillForm, formKey } from './fill-form';
import {
  actionRouteOf,
  dataAddressOf,
  isCatchAll,
  isOurs,
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
  /** Signs a person in to their site account again. */
  renewAccount: (person: Person) => Promise<void>;
  /** Looks briefly, for what is known already of these routes: only their forms are sent, and once. */
  only?: (route: Route) => boolean;
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
  const { inventory, only: isWanted } = options;
  const sent = new Map<string, { makes: boolean; isTaken: boolean }>();
  const ending = new Set<string>();
  /** Links and forms found in the answers to forms. */
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
    const fresh = seen.forms.filter(({ key }) => !sent.has(key));
    const filled = unsent.flatMap((request) => fill(request, seen) ?? []);
    unsent = unsent.filter((request) => fill(request, seen) === null);
    if (fresh.length + filled.length === 0 && round > 0) break;
    for (const request of filled) await send(request);
    for (const { key, request, makes } of fresh) {
      const { status } = await send(request);
      const isEnded = await hasEnded(request);
      if (isEnded) ending.add(key);
      sent.set(key, { makes, isTaken: status < 400 && !isEnded });
    }
    options.letWorkEnd();
    seen = await look();
    if (isWanted) break;
  }
  // One form may have deleted what another created.
  if (!isWanted) {
    for (const { key, request } of seen.forms) {
      const before = sent.get(key);
      if (before?.makes && before.isTaken) await send(request);
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
  return { addresses: seen.addresses, submissions, refused: seen.refused };

  async function send(request: SiteRequest): Promise<Answer> {
    const { path, only } = request;
    const route = actionRouteOf(inventory, path);
    const isPage = route?.kind === 'page' && inventory.hasDataRequests;
    const answer = await options.ask(person, {
      ...request,
      // As a script sends it. The action runs alone then, and what it asks is known to be its own.
      path: isPage ? dataAddressOf(path) : path,
    });
    readLeads(answer, { from: path, only, person, inventory }, led);
    return answer;
  }

  /** Whether the form ended the session: the page that showed the name of the account no longer does. */
  async function hasEnded({ only }: SiteRequest): Promise<boolean> {
    if (only === 'platform' || seen.witness === null) return false;
    const { status, text } = await options.ask(person, { path: seen.witness });
    if (status < 300 && text.includes(person.account?.mark ?? '')) return false;
    await options.renewAccount(person);
    return true;
  }
}

interface FoundForm {
  key: string;
  route: Route | null;
  request: SiteRequest;
  /** Whether somebody types in it: it makes something, as far as a form can tell. */
  makes: boolean;
}

/** What answers lead to. */
interface Leads {
  addresses: Set<string>;
  /** By what tells them from others. */
  forms: Map<string, FoundForm>;
}

interface Explored extends Pick<Found, 'addresses' | 'refused'>, Pick<Leads, 'forms'> {
  /** An address that shows the person's own name by their site account; null where none does. */
  witness: string | null;
}

/** Looks at every route, beginning with the addresses that are known. */
async function explore(
  person: Person,
  { inventory, ask, addresses, only: isWanted }: CrawlOptions,
  led: Leads,
): Promise<Explored> {
  const reached = new Map<Route, string[]>();
  const refused = new Map<Route, string[]>();
  // A form on a page overrides one from an action's answer: its values are newer.
  const leads: Leads = { addresses: new Set(), forms: new Map() };
  const asked = new Set<string>();
  const queue: string[] = [];
  const tried = new Map<Route, number>();
  let witness: string | null = null;

  const suggest = (path: string) => {
    if (asked.has(path)) return;
    const route = routeOf(inventory, path);
    if (!route) return;
    // Static files are no routes, and match what catches all.
    const isFile = route.path === '/*' && path !== plainAddressOf(route);
    if (isFile && !addresses.includes(path)) return;
    const times = tried.get(route) ?? 0;
    if (times >= perRoute) return;
    tried.set(route, times + 1);
    asked.add(path);
    queue.push(path);
  };
  const note = (answer: Answer, from: string, only?: SiteRequest['only']) => {
    readLeads(answer, { from, only, person, inventory }, leads);
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
    const answer = await ask(person, { path });
    // A catch-all should answer 404 to an address made up for it.
    const isMadeUp = isCatchAll(route) && path === plainAddressOf(route);
    const isThere = answer.status < 400 || isMadeUp || takesNoReads(route, answer);
    const list = isThere ? reached : refused;
    list.set(route, [...(list.get(route) ?? []), isThere ? path : `${path}: ${answer.status}`]);
    note(answer, path);
    if (route.access === 'account' && person.account && answer.status < 300) {
      if (answer.text.includes(person.account.mark)) witness ??= path;
    }
    // Where only some routes are wanted, the operations of each loader are known already.
    if (isWanted) continue;
    // A page for whoever has no account yet sends those away who have one.
    if (person.account && route.kind === 'page' && answer.status >= 300 && answer.status < 400) {
      const only = 'platform';
      if (route.access === 'none') note(await ask(person, { path, only }), path, only);
    }
    if (route.kind !== 'page' || !inventory.hasDataRequests || !isThere) continue;
    for (const one of chainOf(inventory, route)) {
      if (one.loader) note(await ask(person, { path: dataAddressOf(path, one.id) }), path);
    }
  }
  const forms = new Map([...led.forms, ...leads.forms]);
  return { addresses: reached, refused, forms, witness };
}

/** Adds what an answer leads to. */
function readLeads(
  answer: Answer,
  {
    from,
    only,
    person,
    inventory,
  }: { from: string; only: SiteRequest['only']; person: Person; inventory: Inventory },
  leads: Leads,
): void {
  const addAll = (text: string) => {
    for (const path of addressesIn(text, from)) {
      leads.addresses.add(path);
      // A file's address holds that of the thing it belongs to.
      const { pathname } = new URL(path, 'http://site.invalid');
      for (let end = pathname.lastIndexOf('/'); end > 0; end = pathname.lastIndexOf('/', end - 1))
        leads.addresses.add(pathname.slice(0, end));
    }
  };
  const addForm = (form: PageForm, button: Button) => {
    const path = destinationOf(form, button, from);
    if (path === null || path.startsWith('/__auth')) return;
    // Closes its dialog, and is sent nowhere.
    if ((button.formMethod ?? form.method).toLowerCase() === 'dialog') return;
    const route = actionRouteOf(inventory, path);
    const { mark } = (route?.access === 'account' && person.account) || person;
    const filled = fillForm(form, button, path, mark);
    if ((filled.method ?? 'GET') === 'GET') {
      leads.addresses.add(filled.path);
      return;
    }
    const key = formKey(form, button, route?.id ?? path);
    const request = { ...filled, form: key, ...(only && { only }) };
    const makes = form.controls.some(({ type, kind }) => kind === 'textarea' || typed.has(type));
    if (!leads.forms.has(key)) leads.forms.set(key, { key, route, request, makes });
  };

  const { location } = answer.headers;
  if (location) addAll(`"${location}"`);
  if (!isText(answer)) return;
  if (/html/.test(answer.headers['content-type'] ?? '')) {
    const page = readPage(answer.text);
    for (const link of page.links) {
      const base = `http://site.invalid${from}`;
      if (URL.canParse(link, base)) addAll(`"${new URL(link, base).href}"`);
    }
    for (const form of page.forms) for (const button of form.buttons) addForm(form, button);
  }
  addAll(answer.text);
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

/** A route for posts: it has no loader, or one that answers 405. */
function takesNoReads({ loader, action }: Route, { status }: Answer): boolean {
  return action !== null && (status === 405 || (loader === null && status < 500));
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
    if (isOurs(hostname) && !/^\/(__auth|assets)(\/|$)|\.data$/.test(pathname))
      yield pathname + search;
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
