/** Visits a page as each visitor that the checks need. All checks share one visit. */
import type { BrowserContext } from '@playwright/test';
import { routeOf } from '../crawl/match.ts';
import type { Person } from '../people/people.ts';
import {
  BrowserUnusable,
  type BrowserVisitor,
  type ProofBrowser,
  type Tab,
} from './proof-browser.ts';
import { reasonOf, type RouteUnderProof, type Stage } from '../stage/stage.ts';
import { testUsability, type Usability } from './usability.ts';
import { operateControls, type Operated } from './operate.ts';
import { callProbe, cookiesOf, isLate, isNavigationError, type Control } from './probe.ts';
import type { PageRequest } from './traffic.ts';

export interface PageVisit {
  /** The requested address. */
  address: string;
  stranger: PageView;
  /** The stranger's controls without JavaScript; null if the stranger was redirected to the platform's sign-in. */
  plain: Control[] | null;
  member: PageView;
}

export interface PageView {
  /** Path and query that the frame ended up at, such as the platform's sign-in. */
  landed: string;
  /** Why the page was not shown. */
  problem: string | null;
  controls: Control[];
  /** Path and query of all documents that the frame loaded: a page may navigate by itself. */
  documents: string[];
  /** All requests until the page had settled. */
  requests: PageRequest[];
  operated: Operated[];
  /** Null if the page is not the site's, or accessibility is not tested. */
  usability: Usability | null;
  /** Browser errors and warnings. */
  noise: string[];
  cookies: { path: string; cookie: string }[];
}

const visits = new WeakMap<ProofBrowser, WeakMap<RouteUnderProof, Promise<PageVisit>>>();

/** The pages to visit. A page without a known address is already reported. */
export function pagesOf({ routes, seeded: [person] }: Stage): RouteUnderProof[] {
  return routes.filter(
    ({ kind, isLayout, addresses }) =>
      kind === 'page' && !isLayout && (addresses.get(person) ?? []).length > 0,
  );
}

/** Returns the same visit to every check. */
export function visitPage(
  browser: ProofBrowser,
  stage: Stage,
  route: RouteUnderProof,
): Promise<PageVisit> {
  const known = visits.get(browser) ?? new WeakMap<RouteUnderProof, Promise<PageVisit>>();
  visits.set(browser, known);
  const visit = known.get(route) ?? visitAnew(browser, stage, route);
  known.set(route, visit);
  return visit;
}

function pathOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

export function isSignIn(path: string): boolean {
  return /^\/__auth\/login(?:$|[?#/])/.test(path);
}

async function visitAnew(
  browser: ProofBrowser,
  { platform, seeded, inventory }: Stage,
  route: RouteUnderProof,
): Promise<PageVisit> {
  const [person] = seeded;
  const [address] = route.addresses.get(person) ?? [];
  if (address === undefined) throw new Error(`No address of ${route.path} is known.`);
  // With a query, to see whether the return path keeps it.
  const requested = address.includes('?') ? address : `${address}?proof=1`;

  const testsUsability = browser.testsModeIndependent;
  // Pages that need an account redirect to the site's own sign-in, which is visited as a route itself.
  const isSignInOfSite = (landed: string) => {
    const shown = routeOf(inventory, landed);
    return route.access === 'account' && shown !== null && shown.id !== route.id;
  };
  const visitAsStranger = async () => {
    const stranger = await viewOf(requested, () =>
      browser.as('stranger', platform, (visitor) =>
        visitAs(visitor, requested, requested, {
          testsUsability,
          operates: () => true,
          isAnother: isSignInOfSite,
        }),
      ),
    );
    const isElsewhere = stranger.problem !== null || stranger.landed.startsWith('/__auth/');
    if (isElsewhere) return { stranger, plain: null };
    let plain: Control[] | null = null;
    const view = await viewOf(requested, async () => {
      plain = await browser.as('plain', platform, ({ tab }) => listControls(tab, requested));
      return stranger;
    });
    return { stranger: view, plain };
  };
  const visitByMember = () =>
    browser.as('member', platform, async (visitor) => {
      await holdAccount(visitor.context, person, platform);
      return visitAs(visitor, platform.sessions.switchPath(person.id, address), address, {
        // Forms that post are covered over HTTP.
        operates: ({ kind, target }) =>
          browser.operatesAsMember &&
          kind !== 'text' &&
          kind !== 'choice' &&
          (target === null || (target.method === 'GET' && leavesNatively(target.path))),
        testsUsability,
        isAnother: () => false,
      });
    });
  const visitAsMember = () => viewOf(address, visitByMember);
  const [{ stranger, plain }, member] = await Promise.all([visitAsStranger(), visitAsMember()]);
  return { address: requested, stranger, plain, member };
}

/** What a visit throws is why the page was not shown. */
async function viewOf(address: string, visit: () => Promise<PageView>): Promise<PageView> {
  try {
    return await visit();
  } catch (error) {
    if (error instanceof BrowserUnusable) throw error;
    return emptyView(address, reasonOf(error));
  }
}

function emptyView(landed: string, problem: string | null): PageView {
  return {
    ...{ landed, problem, controls: [], documents: [], requests: [], operated: [] },
    ...{ usability: null, noise: [], cookies: [] },
  };
}

/** Sets the cookies of the person's site account, except those that the frame would drop. */
async function holdAccount(
  context: BrowserContext,
  { account }: Person,
  { siteOrigin, platformUrl }: Stage['platform'],
): Promise<void> {
  const cookies = (account?.jar.cookies() ?? [])
    .filter(({ attributes }) => 'partitioned' in attributes && 'secure' in attributes)
    .map(({ name, value }) => ({
      ...{ name, value, path: '/', domain: new URL(siteOrigin).hostname },
      ...{ secure: true, httpOnly: true, sameSite: 'None' as const },
      partitionKey: new URL(platformUrl).origin.replace(/:\d+$/, ''),
      _crHasCrossSiteAncestor: true,
    }));
  if (cookies.length > 0) await context.addCookies(cookies);
}

/** Addresses that the browser must not navigate to (W21), or must navigate to natively (W05, W06). */
function leavesNatively(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/__auth/');
}

interface VisitOptions {
  /** Whether to test accessibility. */
  testsUsability: boolean;
  /** Which controls to operate. */
  operates: (control: Control) => boolean;
  /** Whether the frame shows a different page, of which only the controls are listed. */
  isAnother: (landed: string) => boolean;
}

async function visitAs(
  visitor: BrowserVisitor,
  path: string,
  address: string,
  options: VisitOptions,
): Promise<PageView> {
  const { tab, traffic, browserLog, shown } = visitor;
  // Becomes the previous history entry, so that a page's own “Back” stays in the frame and off other pages of the site.
  await tab.open('/__auth/whoami');
  traffic.forget();
  const heardBefore = browserLog.unexpected().length;
  const problem = await tab.open(path);
  const landed = problem === null ? tab.path() : address;
  const view = { ...emptyView(landed, problem), requests: [...traffic.requests] };
  if (problem === null && !landed.startsWith('/__auth/')) {
    await inspect(visitor, view, options).catch(async (error: unknown) => {
      if (tab.frame.isDetached()) {
        view.problem = 'a control on it navigates the browser out of the frame';
        await visitor.replaceTab();
      } else if (isNavigationError(error) && !isLate(error))
        view.problem = 'it keeps navigating by itself';
      else throw error;
    });
  }
  await traffic.read();
  view.documents = traffic.requests
    .filter(({ isNavigation }) => isNavigation)
    .map(({ path: loaded }) => loaded);
  view.cookies.push(...traffic.cookies);
  const isOfNow = (message: string) => {
    const [, place = ''] = /\((\S*)\)$/.exec(message) ?? [];
    return pathOf(place) === landed || !shown.has(pathOf(place));
  };
  view.noise = browserLog.unexpected().slice(heardBefore).filter(isOfNow);
  for (const document of view.documents) shown.add(document);
  return view;
}

const mostMoves = 5;

/** Records the controls of the page in the frame, tests it, and operates its controls. */
async function inspect(
  visitor: BrowserVisitor,
  view: PageView,
  { testsUsability, operates, isAnother }: VisitOptions,
): Promise<void> {
  const { tab } = visitor;
  // A page may navigate by itself: list the controls of the page it ends up at.
  for (let times = 0; times < mostMoves; times += 1) {
    view.landed = tab.path();
    view.controls = await callProbe(tab, 'controls');
    if (tab.path() === view.landed || tab.path().startsWith('/__auth/')) break;
  }
  if (isAnother(view.landed)) return;
  if (testsUsability) view.usability = await testUsability(tab);
  // Again, to include requests that timers have sent meanwhile.
  view.requests = [...visitor.traffic.requests];
  const written = await cookiesOf(tab);
  view.cookies.push(...written.map((cookie) => ({ path: view.landed, cookie })));
  view.operated = await operateControls(visitor, view.landed, (control) => {
    // Pages that links lead to are visited as routes themselves.
    const isElsewhere =
      control.kind === 'link' && !(control.target && leavesNatively(control.target.path));
    return !isElsewhere && operates(control);
  });
}

async function listControls(tab: Tab, path: string): Promise<Control[]> {
  // The first page of a new frame may be parsed before JavaScript is disabled, and then `<noscript>` contains only text.
  if (tab.frame.url() === 'about:blank') await tab.open(path);
  await tab.open(path);
  return callProbe(tab, 'controls');
}
