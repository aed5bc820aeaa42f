/**
 * Crawls the whole site as one person: follows links, submits every form once, and records which addresses and
 * submissions reach each route.
 */
import type { ExampleRequest } from '@gatehouse/simulator';
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { marksIn } from '../people/words.ts';
import { explore, type ExploreOptions, type Explored, type RefusedAddress } from './explore.ts';
import { readLeads, type FoundForm, type Leads } from './leads.ts';
import { actionRouteOf, dataAddressOf, parametersOf } from './match.ts';

export interface CrawlOptions extends ExploreOptions {
  requests: readonly ExampleRequest[];
  /** Lets the platform's jobs finish. */
  letWorkEnd: () => void;
  /** Signs a person in to their site account again. */
  renewAccount: (person: Person) => Promise<void>;
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

/** Submissions reveal pages with more forms. */
const rounds = 3;

export interface Crawl {
  /** Follows links and sends forms until nothing is new. Returns whether it has sent something. */
  go: () => Promise<boolean>;
  found: () => Found;
}

/** A crawl that can go on, because others have written meanwhile. */
export function openCrawl(person: Person, options: CrawlOptions): Crawl {
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

  let seen: Awaited<ReturnType<typeof look>> = {
    ...{ addresses: new Map(), refused: new Map(), forms: [], witness: null },
  };
  let unsent = options.requests;
  let isFirst = true;
  return { go, found };

  async function go(): Promise<boolean> {
    let hasSent = false;
    seen = await look();
    for (let round = 0; round < rounds; round++) {
      const fresh = seen.forms.filter((form) => !sent.has(form.key) || mayBeAccepted(form));
      const filled = unsent.flatMap((request) => fill(request, seen, inventory) ?? []);
      unsent = unsent.filter((request) => fill(request, seen, inventory) === null);
      const isNothing = fresh.length + filled.length === 0;
      // What `prepare` has begun at the platform may still have to end.
      if (isNothing && !isFirst) break;
      isFirst = false;
      hasSent ||= !isNothing;
      for (const request of filled) {
        const { method = 'GET', path } = request;
        const route = actionRouteOf(inventory, path);
        note(
          `${method} ${path}`,
          { route, request, names: null, makes: false },
          await send(request),
        );
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
    if (hasSent && !isWanted) {
      for (const form of seen.forms) {
        const before = sent.get(form.key);
        if (!before?.makes || !(before.isTaken || mayBeAccepted(form))) continue;
        const response = await send(form.request);
        if (!form.wantsPassword) note(form.key, form, response);
      }
      options.letWorkEnd();
      seen = await look();
    }
    return hasSent;
  }

  function found(): Found {
    const submissions = new Map<Route, SiteRequest[]>();
    for (const { route, request } of [
      ...seen.forms.map(({ key, route, request }) => ({
        route,
        request: ending.has(key) ? { ...request, endsSession: true } : request,
      })),
      ...options.requests.map((request) => ({
        request: fill(request, seen, inventory),
        route: actionRouteOf(inventory, request.path),
      })),
    ]) {
      if (!route || !request) continue;
      const known = submissions.get(route) ?? [];
      submissions.set(route, [...known, request]);
    }
    return { addresses: seen.addresses, submissions, refused: seen.refused, forms: accepted };
  }

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
    response: ReceivedResponse | null,
  ): void {
    const { method = 'POST', path } = request;
    const fields = names && names.length > 0 ? ` with ${names.join(', ')}` : '';
    const at = `${method} ${path}${fields} (${response?.status ?? 'no response'})`;
    const isAccepted = response !== null && response.status < 400;
    const before = accepted.get(key)?.isAccepted ?? false;
    accepted.set(key, { route, at, names, makes, isAccepted: before || isAccepted });
  }

  async function send(request: SiteRequest): Promise<ReceivedResponse | null> {
    const { path, only } = request;
    const route = actionRouteOf(inventory, path);
    const isPage = route?.kind === 'page' && inventory.homeData !== null;
    const response = await options.send(person, {
      ...request,
      // At the `.data` URL only the action runs, so every call belongs to it.
      path: isPage ? dataAddressOf(inventory, path) : path,
    });
    if (response) readLeads(response, { from: path, only, person, inventory }, led);
    return response;
  }

  /** Whether the form ended the session: a page that showed the account's marker no longer does. */
  async function hasEnded({ only }: SiteRequest): Promise<boolean> {
    if (only === 'platform' || seen.witness === null) return false;
    const page = await options.send(person, { path: seen.witness });
    if (page && page.status < 300 && marksIn(page.text).has(person.account?.mark ?? ''))
      return false;
    await options.renewAccount(person);
    return true;
  }
}

/**
 * Replaces path patterns in a request of `e2e/site.ts`: its path by an address that the crawl found, and a text in its JSON
 * by the last parameter of one. Null if it found none.
 */
function fill(
  { json, ...request }: ExampleRequest,
  { addresses }: Pick<Explored, 'addresses'>,
  { routes }: Inventory,
): SiteRequest | null {
  const found = new Map(
    [...addresses].map(([route, [address]]) => [route.path, { route, address }]),
  );
  const isKnown = (pattern: string) => found.get(pattern)?.address !== undefined;
  const patterns = patternsIn(json).filter((text) => routes.some(({ path }) => path === text));
  if (![request.path, ...patterns].every((text) => !text.includes('/:') || isKnown(text)))
    return null;
  const path = found.get(request.path)?.address ?? request.path;
  if (json === undefined) return { ...request, path };
  const body = JSON.stringify(json, (_, value: unknown) => {
    const { route, address } = (isPattern(value) && found.get(value)) || {};
    if (!route || address === undefined) return value;
    return decodeURIComponent(Object.values(parametersOf(route, address)).at(-1) ?? '');
  });
  return {
    ...request,
    path,
    headers: { 'content-type': 'application/json', ...request.headers },
    body,
  };
}

function patternsIn(json: unknown): string[] {
  if (isPattern(json)) return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(patternsIn) : [];
}

function isPattern(value: unknown): value is string {
  return typeof value === 'string' && /^\/[^\s?#]*\/:\w+$/.test(value);
}
