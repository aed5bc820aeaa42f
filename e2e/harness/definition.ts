/**
 * What a site says of itself and of its platform: the one thing that the simulator needs from outside. Faults,
 * the ledger, the control API and the platform's page follow the list of operations.
 */
import type { IncomingHttpHeaders } from 'node:http';

import type { Answer, EventsAnswer } from './answers';
import type { HttpVisitor } from './browser/visitor-http';
import type { Clock } from './clock';
import type { Persona, PersonaBook } from './people/personas';

/** The site under test: what `e2e/site.ts` exports as its default. */
export interface SiteDefinition<State, Name extends string = string> {
  platform: PlatformDefinition<State, Name>;
  /** For `npm run boundary`: whose accounts the site has. Default: `platform`. */
  auth?: AuthMode;
  /** For `npm run boundary`, where the site has accounts of its own: how somebody comes by one. */
  accounts?: SiteAccounts;
  /** For `npm run boundary`: addresses that no page leads to, such as `/posts/hello`. */
  addresses?: readonly string[];
  /** For `npm run boundary`: makes what somebody has that no page of the site makes, and gives its addresses. */
  prepare?: (parts: CrawlParts<State>) => readonly string[];
  /**
   * For `npm run boundary`: what scripts send, and no form does. It may make what a request needs, such as the
   * thing whose id it sends.
   */
  requests?: (
    parts: CrawlParts<State>,
  ) => readonly (ExampleRequest | ((parts: CrawlParts<State>) => ExampleRequest))[];
}

export interface CrawlParts<State> {
  state: State;
  /** The id of the persona who looks at the site. */
  person: string;
  /** Theirs, as `/user` gives it. */
  profile: unknown;
}

/** Whose accounts people sign in to: the platform's, the site's own, or both. */
export type AuthMode = 'platform' | 'in-app' | 'both';

/** Accounts of the site's own, as somebody without a browser comes by one: through the site's forms. */
export interface SiteAccounts {
  /** Makes an account that can be signed in to. It throws where the site refuses. */
  signUp: (parts: AccountParts) => Promise<void>;
  /** Signs in: the visitor's cookies are those of the account from then on. It throws where the site refuses. */
  signIn: (parts: AccountParts) => Promise<void>;
  /**
   * Tables in which rows come and go without anybody's doing: of sessions, limits and links. A stranger's request
   * may change those, and no other.
   */
  passingTables?: readonly string[];
}

export interface AccountParts {
  /** Keeps the cookies that the site sets. */
  visitor: HttpVisitor;
  person: { name: string; email: string; password: string };
  mail: {
    /** Path and query of the first link to the site in the newest mail to an address, as soon as there is one. */
    link: (to: string) => Promise<string>;
  };
}

/** A request that a signed-in visitor's page makes. */
export interface ExampleRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path, or a route's pattern: an address of it that was found stands in then. */
  path: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, with its `content-type`. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** What the platform can do for a site, besides knowing who somebody is. */
export interface PlatformDefinition<State, Name extends string = string> {
  /** The people who can sign in, as in `personas.json`. */
  personas: unknown;
  /** Makes what the platform keeps. Called at the start, and again at each reset. */
  createState: (parts: { clock: Clock; personas: PersonaBook }) => State;
  /** Does what has come due by now, before each of somebody's calls, `/user` included. */
  settle?: (parts: { state: State; persona: Persona }) => void;
  operations: readonly Operation<State, Name>[];
}

/** Checks the types of a site's definition, and keeps the names of its operations. */
export function defineSite<State, const Name extends string>(
  site: SiteDefinition<State, Name>,
): SiteDefinition<State, Name> {
  return site;
}

/** The same for the platform's part, where it stands in a file of its own. */
export function definePlatform<State, const Name extends string>(
  platform: PlatformDefinition<State, Name>,
): PlatformDefinition<State, Name> {
  return platform;
}

/** One operation of the internal API, for a visitor who is signed in. */
export interface Operation<State, Name extends string = string> {
  /** What faults and the ledger call it: a word such as `print`. */
  name: Name;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path whose segments may be parameters, such as `/prints/:id`. */
  path: string;
  /** Bytes that its body may have: more is answered 413. Default: {@link defaultMaxBytes}. */
  maxBytes?: number;
  run: (call: OperationCall<State>) => Answer | EventsAnswer;
}

export interface OperationCall<State> {
  /** Whose ticket the call carries. */
  persona: Persona;
  /** Balances, and the profile as it is now. */
  personas: PersonaBook;
  state: State;
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Bytes: enough for a little JSON. */
export const defaultMaxBytes = 64 * 1024;

/** An operation, and how its path is told from others. */
export type RoutedOperation<State> = Operation<State> & { pattern: RegExp };

/** Names that mean something else to faults and the ledger. */
const reserved = ['*', 'user', 'site', 'unknown'];

/** @throws {Error} one sentence when a name is reserved or given twice. */
export function routesOf<State>({
  operations,
}: PlatformDefinition<State>): RoutedOperation<State>[] {
  const names = new Set<string>();
  return operations.map((operation) => {
    const { name, path } = operation;
    if (reserved.includes(name)) {
      throw new Error(`No operation can be called ${name}: it means something else to faults.`);
    }
    if (names.has(name)) throw new Error(`Two operations of the platform are called ${name}.`);
    names.add(name);
    return { ...operation, pattern: patternOf(path) };
  });
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
}
