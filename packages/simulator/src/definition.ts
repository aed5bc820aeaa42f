/**
 * The definition of a site and of its platform: the simulator's only input. Faults, the ledger, the control
 * API and the platform's page are derived from the list of operations.
 */
import type { IncomingHttpHeaders } from 'node:http';

import type { HttpVisitor, ReceivedResponse } from './browser/visitor-http.ts';
import type { Clock } from './clock.ts';
import type { Persona, PersonaBook } from './people/personas.ts';
import { errorResponse, type EventsResponse, type OperationResponse } from './responses.ts';

/** The site under test: what `e2e/site.ts` exports as its default. */
export interface SiteDefinition<State, Name extends string = string> {
  platform: PlatformDefinition<State, Name>;
  /** For `npm run boundary`: who manages the site's accounts. Default: `platform`. */
  auth?: AuthMode;
  /** For `npm run boundary`, where the site has accounts of its own: how to get one. */
  accounts?: SiteAccounts;
  /** For `npm run boundary`: addresses that no page links to, such as `/posts/hello`. */
  addresses?: readonly string[];
  /**
   * For `npm run boundary`: creates what must be there before the crawl, in the simulated platform or by the site's own
   * forms, and returns the addresses that no page links to.
   */
  prepare?: (parts: PrepareParts<State>) => readonly string[] | Promise<readonly string[]>;
  /**
   * For `npm run boundary`: requests that scripts send and no form does. It may create what a request needs,
   * such as the thing whose id it sends.
   */
  requests?: (
    parts: CrawlParts<State>,
  ) => readonly (ExampleRequest | ((parts: CrawlParts<State>) => ExampleRequest))[];
  /** For `npm run boundary`: which rows of the site's store their owner shows to others. */
  published?: readonly PublishedRows[];
  /** Environment variables with which flows and `npm run boundary` run the built site. */
  settings?: Readonly<Record<string, string>>;
}

export interface CrawlParts<State> {
  state: State;
  /** The id of the signed-in persona. */
  person: string;
  /** The persona's profile, as `/user` returns it. */
  profile: unknown;
}

export interface PrepareParts<State> extends CrawlParts<State> {
  /**
   * The person's account of the site. Null for a person without one: on a platform site, and in the checks of the platform's
   * outages on a site with both.
   */
  account: { name: string; email: string } | null;
  /** Sends any other request as this person. */
  visitor: Pick<HttpVisitor, 'get' | 'post' | 'send'>;
  /** To be typed into forms: the proof recognises whose these words are, and where they were typed. */
  words: string;
  /**
   * Sends a form of the page at an address, as a person would who types these values into it: the form that has all these
   * fields or buttons. Its other fields are filled in by what they declare.
   *
   * @throws {Error} one sentence when there is no such form, or the site refuses it.
   */
  request: (
    address: string,
    fields?: Readonly<Record<string, string>>,
  ) => Promise<ReceivedResponse>;
}

/**
 * Rows of the site's store that others may see. `where` and `members` are SQL of SQLite, about the row of `table`.
 * With `members`, only these accounts may, on every route that needs an account; with `role`, only accounts that have it, on the
 * routes whose `handle` names it; otherwise everybody may, on the routes whose `handle` has `shows: 'published'`.
 */
export type PublishedRows = {
  table: string;
  /** What may be seen of a row. */
  columns: readonly string[];
} & (
  | {
      /** What makes a row public, such as `state = 'published'`. */
      where: string;
      /** The role that sees it, instead of everybody. */
      role?: string;
    }
  | {
      where?: string;
      /** Who may see a row: columns that hold the id of an account, or a `select` of such ids. */
      members: readonly string[];
    }
);

/** Who manages the accounts that people sign in to: the platform, the site, or both. */
export type AuthMode = 'platform' | 'in-app' | 'both';

/** How a visitor without a browser gets an account of the site: through the site's forms. */
export interface SiteAccounts {
  /** Creates an account that can be signed in to. Throws when the site refuses. */
  signUp: (parts: AccountParts) => Promise<void>;
  /** Signs in: the visitor's cookies are the account's from then on. Throws when the site refuses. */
  signIn: (parts: AccountParts) => Promise<void>;
  /**
   * Tables of sessions, limits and links, whose rows come and go by themselves. A stranger's request may
   * change those, and no others.
   */
  passingTables?: readonly string[];
}

export interface AccountParts {
  /** Stores the cookies that the site sets. */
  visitor: HttpVisitor;
  person: { name: string; email: string; password: string };
  mail: {
    /**
     * Path and query of the first link to the site in the newest mail to an address, as soon as there is one.
     */
    link: (to: string) => Promise<string>;
  };
}

/** A request that a page sends for a signed-in visitor. */
export interface ExampleRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path, or a route's pattern, which is replaced with an address of that route that was found. */
  path: string;
  /**
   * Sent as JSON. A text in it that is a route's pattern, such as `/prints/:id`, is replaced with the last parameter of
   * an address of that route that was found.
   */
  json?: unknown;
  /** Sent as is, with its own `content-type`. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** What the platform offers to a site, besides identity. */
export interface PlatformDefinition<State, Name extends string = string> {
  /** The people who can sign in, as in `personas.json`. */
  personas: unknown;
  /** Creates the platform's state. Called at the start, and again at each reset. */
  createState: (parts: StateParts) => State;
  /** Applies what has come due. Called before each of a persona's calls, `/user` included. */
  settle?: (parts: { state: State; persona: Persona }) => void;
  operations: readonly Operation<State, Name>[];
}

export interface StateParts {
  clock: Clock;
  personas: PersonaBook;
}

/** Type-checks a platform's definition, and infers the names of its operations. */
export function definePlatform<State, const Name extends string>(
  platform: PlatformDefinition<State, Name>,
): PlatformDefinition<State, Name> {
  return platform;
}

/** One operation of the internal API, called for a signed-in visitor. */
export interface Operation<State, Name extends string = string> {
  /** Its name in faults and in the ledger: a word such as `print`. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path whose segments may be parameters, such as `/prints/:id`. */
  path: string;
  /**
   * For `npm run boundary`: it changes nothing although its method is not GET, such as a search by POST. A page
   * may then call it on a GET.
   */
  isRead?: true;
  /** The same idempotency key of the same person runs it once: see `repetitions.ts`. */
  once?: true;
  /** Maximum size of the body in bytes: a larger one is answered 413. Default: {@link defaultMaxBytes}. */
  maxBytes?: number;
  run: (call: OperationCall<State>) => OperationResponse | EventsResponse;
}

export interface OperationCall<State> {
  /** The persona whose ticket the call carries. */
  persona: Persona;
  /** Balances, and the current profiles. */
  personas: PersonaBook;
  state: State;
  /** The path's parameters. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Bytes: enough for small JSON bodies. */
export const defaultMaxBytes = 64 * 1024;

/** An operation with the pattern that matches its path. */
export type RoutedOperation<State> = Operation<State> & { pattern: RegExp };

/** Names that have another meaning for faults and the ledger. */
const reserved = ['*', 'user', 'site', 'unknown'];

/** @throws {Error} one sentence, when a name is reserved or used twice. */
export function routesOf<State>({
  operations,
}: Pick<PlatformDefinition<State>, 'operations'>): RoutedOperation<State>[] {
  const names = new Set<string>();
  return operations.map((operation) => {
    const { name, path } = operation;
    if (reserved.includes(name)) {
      throw new Error(`No operation can be called ${name}: the name is reserved.`);
    }
    if (names.has(name)) throw new Error(`Two operations of the platform are called ${name}.`);
    names.add(name);
    return { ...operation, pattern: patternOf(path) };
  });
}

/** The operation for a call, with the parameters of its path. The first that matches. */
export function findOperation<State>(
  routes: readonly RoutedOperation<State>[],
  method: string | undefined,
  pathname: string,
): { operation: RoutedOperation<State>; params: Record<string, string> } | undefined {
  for (const operation of routes) {
    const match = operation.method === method && operation.pattern.exec(pathname);
    if (match) return { operation, params: { ...match.groups } };
  }
  return undefined;
}

export const NO_SUCH_ENDPOINT = errorResponse(404, 'no_such_endpoint', 'Not found.');
export const TOO_LARGE = errorResponse(413, 'too_large', 'Too large.');

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
