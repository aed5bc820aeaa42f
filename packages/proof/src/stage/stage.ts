/** What every check gets: the site behind the simulator, its routes with their addresses, and people. */
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { AuthMode } from '@gatehouse/simulator';
import type { OnThisMachine, Platform } from '@gatehouse/simulator/platform';
import type { CheckName, FindingCode } from '../findings/finding.ts';
import type { Found } from '../crawl/crawl.ts';
import type { RefusedAddress } from '../crawl/explore.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import type { Accounts } from '../people/accounts.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import type { Published } from './published.ts';
import type { Store } from './store.ts';

/** A request without a response. It is already reported, and ends the check of its route. */
export class NoResponse extends Error {
  override name = 'NoResponse';
}

/** For a check that goes on without the response. */
export function nullIfNoResponse(error: unknown): null {
  if (!(error instanceof NoResponse)) throw error;
  return null;
}

/** The first line of an error, without a full stop. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, 300).replace(/[.:\s]+$/, '') || 'an error without a message';
}

export interface Stage {
  inventory: Inventory;
  platform: Platform<unknown>;
  /** For limits of requests by HTTP. The browser has its own. */
  onThisMachine: OnThisMachine;
  auth: AuthMode;
  /** Null unless the site has accounts of its own and `e2e/site.ts` defines how to create one. */
  site: SiteSide | null;
  /** The site's stdout and stderr so far. */
  siteLog: () => string;
  /** The routes to prove: all, or those that `--routes` selects. */
  routes: readonly RouteUnderProof[];
  /** All routes of the site: a page may send requests to routes that are not selected. */
  allRoutes: readonly RouteUnderProof[];
  /** The two crawlers, for whom {@link RouteUnderProof} lists addresses and submissions. */
  seeded: readonly [Person, Person];
  /** Creates more people. */
  addPeople: (count: number) => Person[];
  /** Crawls as one more person, who submits each form that uses the platform once. */
  crawl: (person: Person) => Promise<Found>;
  /**
   * Sends a request through the platform's edge, as a person or signed out, and reports every violation in the response:
   * secrets, other people's data, caching. A request with a signal of its own may get no response: its error is thrown
   * as it is, and not reported.
   *
   * @throws {NoResponse} when there is no response.
   */
  send: (who: Person | null, request: SiteRequest) => Promise<ReceivedResponse>;
  report: Report;
}

/** The part of the stage for sites with accounts of their own. */
export interface SiteSide {
  accounts: Accounts;
  /** Null if the site does not store its rows in the SQLite file that it is given. */
  store: Store | null;
  /** What members publish, by `published` in `e2e/site.ts`. */
  published: Published;
  /** Tables whose rows change without a visitor, such as sessions and rate limits. */
  passingTables: readonly string[];
}

export interface RouteUnderProof extends Route {
  /** Working addresses of this route, for each crawler; empty where none was found. */
  addresses: ReadonlyMap<Person, readonly string[]>;
  /** Requests that reach its action, for each crawler. */
  submissions: ReadonlyMap<Person, readonly SiteRequest[]>;
  /** Addresses that did not work. */
  refused: readonly RefusedAddress[];
  /** The platform operations that its loader and its action called during the crawl. */
  operations: { loader: ReadonlySet<string>; action: ReadonlySet<string> };
}

export interface Report {
  /** Reports a violation. The same code is reported at most three times per route. */
  find: (code: FindingCode, route: Route | null, message: string) => void;
  /** The check has finished with this route. */
  checked: (check: CheckName, route: Route) => void;
  /** The check could not observe something. `why` is a clause without a full stop. */
  notObserved: (check: CheckName, route: Route, why: string) => void;
}
