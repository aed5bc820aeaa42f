/** Opens a page as everybody whom the checks are about, once for all of them. */
import type { BrowserContext } from '@playwright/test';
import { routeOf } from '../crawl/match';
import type { Person } from '../people/people';
import type { Lane, ProofBrowser, Tab } from './proof-browser';
import type { RouteUnderProof, Stage } from '../stage/stage';
import { lookForEverybody, type Usability } from './usability';
import { operateControls, type Operated } from './operate';
import { ask, cookiesOf, isOfLeftPage, type Control } from './probe';
import type { AskedRequest } from './traffic';

export interface PageVisit {
  /** What was opened. */
  address: string;
  stranger: PageView;
  /** The stranger's page where no script runs; null when they were sent away. */
  plain: Control[] | null;
  member: PageView;
}

export interface PageView {
  /** Path and query that the frame came to: the platform's sign-in, perhaps. */
  landed: string;
  /** What kept the page from being shown. */
  problem: string | null;
  controls: Control[];
  /** Path and query of all that the frame has shown meanwhile: a page may go on by itself. */
  documents: string[];
  /** All that was asked until the page was at rest. */
  asked: AskedRequest[];
  operated: Operated[];
  /** Null where the page is not the site's, or is not looked at for this. */
  usability: Usability | null;
  /** What the browser complained about. */
  noise: string[];
  cookies: { path: string; cookie: string }[];
}

const visits = new WeakMap<ProofBrowser, WeakMap<RouteUnderProof, Promise<PageVisit>>>();

/** The routes that a browser can open. A page without a known address is a finding already. */
export function pagesOf({ routes, seeded: [person] }: Stage): RouteUnderProof[] {
  return routes.filter(
    ({ kind, isLayout, addresses }) =>
      kind === 'page' && !isLayout && (addresses.get(person) ?? []).length > 0,
  );
}

/** Every check that asks for the visit gets the same one. */
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
  // Whether a way back keeps the query is seen where there is one.
  const asked = address.includes('?') ? address : `${address}?proof=1`;

  const forEverybody = browser.looksForEverybody;
  // Pages of an account lead to the site's own sign-in, which is visited once, as a route of its own.
  const isSignInOfSite = (landed: string) => {
    const shown = routeOf(inventory, landed);
    return route.access === 'account' && shown !== null && shown.id !== route.id;
  };
  const lookAsStranger = async () => {
    const stranger = await browser.as('stranger', platform, (lane) =>
      lookAt(lane, asked, asked, {
        forEverybody,
        operates: () => true,
        isAnother: isSignInOfSite,
      }),
    );
    const isElsewhere = stranger.problem !== null || stranger.landed.startsWith('/__auth/');
    const plain = isElsewhere
      ? null
      : await browser.as('plain', platform, ({ tab }) => listControls(tab, asked));
    return { stranger, plain };
  };
  const lookAsMember = () =>
    browser.as('member', platform, async (lane) => {
      await holdAccount(lane.context, person, platform);
      return lookAt(lane, platform.sessions.switchPath(person.id, address), address, {
        // What posts a form is the action's, which is asked by HTTP.
        operates: ({ kind, target }) =>
          kind !== 'text' &&
          kind !== 'choice' &&
          (target === null || (target.method === 'GET' && leavesNatively(target.path))),
        forEverybody,
        isAnother: () => false,
      });
    });
  const [{ stranger, plain }, member] = await Promise.all([lookAsStranger(), lookAsMember()]);
  return { address: asked, stranger, plain, member };
}

/** As if they had signed in to their site account in the frame: a cookie that the frame would drop is not kept. */
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

/** What a page must not send the browser to (W21), or must send it to by itself (W05, W06). */
function leavesNatively(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/__auth/');
}

interface Look {
  /** Whether everybody's needs are looked at, too. */
  forEverybody: boolean;
  /** Which of the page's controls are used. */
  operates: (control: Control) => boolean;
  /** Whether the page that is shown is another, of which only the controls are wanted. */
  isAnother: (landed: string) => boolean;
}

async function lookAt(lane: Lane, path: string, address: string, how: Look): Promise<PageView> {
  const { tab, traffic, calm, shown } = lane;
  // Where a page's own “Back” leads: neither to the page that was looked at before, nor out of the frame.
  await tab.open('/__auth/whoami');
  traffic.forget();
  const heardBefore = calm.noise().length;
  const problem = await tab.open(path);
  const landed = problem === null ? tab.path() : address;
  const view: PageView = {
    ...{ landed, problem, controls: [], asked: [...traffic.asked], operated: [] },
    ...{ usability: null, noise: [], cookies: [], documents: [] },
  };
  if (problem === null && !landed.startsWith('/__auth/')) {
    await look(lane, view, how).catch(async (error: unknown) => {
      if (tab.frame.isDetached()) {
        view.problem = 'a control of it takes the browser out of the frame';
        await lane.replaceTab();
      } else if (isOfLeftPage(error)) view.problem = 'it goes elsewhere by itself, and never stays';
      else throw error;
    });
  }
  await traffic.read();
  view.documents = traffic.asked.filter(({ isNavigation }) => isNavigation).map((one) => one.path);
  view.cookies.push(...traffic.cookies);
  const isOfNow = (message: string) => {
    const [, place = ''] = /\((\S*)\)$/.exec(message) ?? [];
    return pathOf(place) === landed || !shown.has(pathOf(place));
  };
  view.noise = calm.noise().slice(heardBefore).filter(isOfNow);
  for (const document of view.documents) shown.add(document);
  return view;
}

const mostMoves = 5;

/** What there is to see and to use on the page that the frame shows. */
async function look(
  lane: Lane,
  view: PageView,
  { forEverybody, operates, isAnother }: Look,
): Promise<void> {
  const { tab } = lane;
  // A page may go on by itself: its controls belong to where it has come to.
  for (let times = 0; times < mostMoves; times += 1) {
    view.landed = tab.path();
    view.controls = await ask(tab.frame, 'controls');
    if (tab.path() === view.landed || tab.path().startsWith('/__auth/')) break;
  }
  if (isAnother(view.landed)) return;
  if (forEverybody) view.usability = await lookForEverybody(tab);
  // Also what a timer has asked meanwhile.
  view.asked = [...lane.traffic.asked];
  const written = await cookiesOf(tab.frame);
  view.cookies.push(...written.map((cookie) => ({ path: view.landed, cookie })));
  view.operated = await operateControls(lane, view.landed, (control) => {
    // Links lead to other pages, which are proven by themselves.
    const isElsewhere =
      control.kind === 'link' && !(control.target && leavesNatively(control.target.path));
    return !isElsewhere && operates(control);
  });
}

async function listControls(tab: Tab, path: string): Promise<Control[]> {
  // The first page of a new frame may be parsed before scripts are off: what stands in `<noscript>` is then text.
  if (tab.frame.url() === 'about:blank') await tab.open(path);
  await tab.open(path);
  return ask(tab.frame, 'controls');
}
