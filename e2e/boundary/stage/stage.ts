/** What every check works on: the site behind the simulator, its routes with their addresses, and people. */
import type { Answer } from '../../harness/browser/visitor-http';
import type { AuthMode } from '../../harness/definition';
import type { Platform } from '../../harness/platform';
import type { CheckName, FindingCode } from '../findings/finding';
import type { Found } from '../crawl/crawl';
import type { Inventory, Route } from '../inventory/route';
import type { Accounts } from '../people/accounts';
import type { Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import type { Store } from './store';

/** The site left a request without an answer. It is a finding already, and ends the check that has asked. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

export interface Stage {
  inventory: Inventory;
  platform: Platform<unknown>;
  auth: AuthMode;
  /** Where the site has accounts of its own, and `e2e/site.ts` says how somebody comes by one. */
  site: SiteSide | null;
  /** What the site wrote so far. */
  siteLog: () => string;
  /** The routes to prove: all of them, or those that were asked for. */
  routes: readonly RouteUnderProof[];
  /** The whole site's: a page that is proven alone asks other routes, too. */
  allRoutes: readonly RouteUnderProof[];
  /** The two people who crawled. What the routes know of them, checks may rely on. */
  seeded: readonly [Person, Person];
  /** Makes more people. */
  addPeople: (count: number) => Person[];
  /** Has one more person look around, who sends each form that uses the platform once. */
  crawl: (person: Person) => Promise<Found>;
  /**
   * Asks the site through the edge, as a person or as nobody. What comes back is held against what no answer
   * may show, and against the rules for caches, wherever it was asked from.
   */
  ask: (who: Person | null, request: SiteRequest) => Promise<Answer>;
  report: Report;
}

/** What only a site with accounts of its own has. */
export interface SiteSide {
  accounts: Accounts;
  /** Null where it keeps what it is given elsewhere than in its file. */
  store: Store | null;
  /** Tables whose rows come and go without anybody's doing. */
  passingTables: readonly string[];
}

export interface RouteUnderProof extends Route {
  /** Addresses of this route that answered, for each of the seeded people; empty where none was found. */
  addresses: ReadonlyMap<Person, readonly string[]>;
  /** Forms and requests that reach its action, as each of the seeded people would send them. */
  submissions: ReadonlyMap<Person, readonly SiteRequest[]>;
  /** Addresses that were tried, with the statuses by which they were refused. */
  refused: readonly string[];
  /** The operations of the platform that its loader, and that its action, was seen to use. */
  operations: { loader: ReadonlySet<string>; action: ReadonlySet<string> };
}

export interface Report {
  /** A route does not keep a rule. The same code of the same route is told three times at most. */
  find: (code: FindingCode, route: Route | null, message: string) => void;
  /** The check looked at this route, and said all that it has to say. */
  looked: (check: CheckName, route: Route) => void;
  /** The check could not see what it wants to, and why. */
  notObserved: (check: CheckName, route: Route, why: string) => void;
}
