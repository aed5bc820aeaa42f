/** Starts the site behind the simulator, and crawls it as two people. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { httpVisitor, type ReceivedResponse } from '@gatehouse/simulator/http';
import type { SiteDefinition } from '@gatehouse/simulator';
import {
  machineThatTook,
  type OnThisMachine,
  startPlatform,
  type Platform,
} from '@gatehouse/simulator/platform';
import { startSite, type SiteOptions } from '@gatehouse/simulator/programs';
import type { Found } from '../crawl/crawl.ts';
import { routeOf } from '../crawl/match.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import { openAccounts } from '../people/accounts.ts';
import { inspectResponse, listenToLedger, siteAddressOf } from './listen.ts';
import { operationsByRoute } from './operations.ts';
import { crawlStarter } from './start-crawl.ts';
import { reportUnaccepted } from './unaccepted-forms.ts';
import { createPeople, type Person } from '../people/people.ts';
import { createFieldMarks } from '../people/words.ts';
import { accountOf } from './inspect-words.ts';
import { grantRoles } from './grant-roles.ts';
import { openPublished } from './published.ts';
import { createReport, type Gathered } from './report.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { NoResponse, type RouteUnderProof, type SiteSide, type Stage } from './stage.ts';
import { openStore } from './store.ts';

export interface OpenStage extends Stage {
  gathered: () => Gathered;
  close: () => Promise<void>;
}

export interface StageOptions<State = unknown> {
  definition: SiteDefinition<State>;
  inventory: Inventory;
  /** How to start the site. Default: as `npm start` does. */
  start?: Partial<SiteOptions>;
  /** Which of the inventory's routes to prove. Default: all. */
  selected?: ReadonlySet<Route>;
  /** Milliseconds for any response, on an ordinary machine. */
  longestResponse?: number;
}

const peopleAtOnce = 200;
/** How often both people look at the whole site again for what the other has written. */
const mostReturns = 3;
/** Milliseconds for a connection to wait for its next request: less than the simulator keeps it open. */
const idleTime = 2_000;
/** How many responses of the simulator are timed, and the milliseconds that they take together on an ordinary machine. */
const timedResponses = 100;
const usualResponses = 150;
/** Milliseconds for the end of the site's process to be noticed, after a connection that it has cut. */
const endNoticed = 1_000;
/** Milliseconds to read an event stream before closing it. */
const eventsFor = 1_500;
/** How many last lines of stderr to quote when the site exits: the error and where it was thrown. */
const lastLines = 12;

export async function openStage<State>(options: StageOptions<State>): Promise<OpenStage> {
  const { definition, inventory, selected, longestResponse = 120_000 } = options;
  const platform = await startPlatform(definition.platform, { port: 0, internalPort: 0 });
  const closePlatform = async (error: unknown): Promise<never> => {
    await platform.close();
    throw error;
  };
  // Before the site starts, whose own work would count as the machine's.
  const onThisMachine = await timeSimulator(platform).catch(closePlatform);
  const running = await startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    smtpUrl: platform.smtpUrl,
    ...options.start,
    env: { ...definition.settings, ...options.start?.env },
  }).catch(closePlatform);
  platform.setSiteUpstream(running.url);

  const { auth = 'platform' } = definition;
  const report = createReport(auth);
  let isClosing = false;
  void running.exited.then((how) => {
    if (isClosing) return;
    const last = running
      .stderr()
      .trim()
      .split('\n')
      .slice(-lastLines)
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    report.end(`The site’s process exited (${how}) during the proof: ${last.slice(0, 300)}`);
  });
  const stopListening = listenToLedger(platform, {
    inventory,
    report,
    auth,
    operations: definition.platform.operations,
  });
  const agent = new Agent({ keepAlive: true, timeout: idleTime, maxSockets: peopleAtOnce });
  let site: SiteSide | null = null;
  const visitors = new Map<string, ReturnType<typeof httpVisitor>>();
  const visitorOf = (who: Person | null, only: SiteRequest['only']) => {
    const key = `${who?.id ?? ''} ${who?.account?.mark ?? ''} ${only ?? ''}`;
    const known = visitors.get(key);
    const id = only === 'account' ? null : (who?.id ?? null);
    const jar = only === 'platform' ? undefined : who?.account?.jar;
    const visitor = known ?? httpVisitor(platform, id, agent, jar);
    visitors.set(key, visitor);
    return visitor;
  };
  /** Handlers that hang: each further request would take as long. */
  const hanging = new Set<string>();
  const fieldMarks = createFieldMarks();
  const send = async (who: Person | null, typed: SiteRequest): Promise<ReceivedResponse> => {
    const request = fieldMarks.withStableMarks(typed);
    const { path, isFromElsewhere, only, ...rest } = request;
    const { method = 'GET' } = rest;
    const route = routeOf(inventory, siteAddressOf(path).path);
    const handler = `${method} ${route?.id ?? path}`;
    if (hanging.has(handler) && !rest.signal) throw new NoResponse(`${handler} hangs`);
    const isOwn = !isFromElsewhere && method !== 'GET' && method !== 'HEAD';
    const visitor = visitorOf(who, only);
    const within = onThisMachine(longestResponse);
    const limit = AbortSignal.timeout(within);
    const signal = rest.signal ? AbortSignal.any([rest.signal, limit]) : limit;
    const parts = { ...rest, signal, eventsFor };
    const shown = site?.published.shownOn(route, accountOf(who, request)) ?? [];
    const sent = isOwn ? visitor.post(path, parts) : visitor.send(path, parts);
    const response = await sent.catch(async (error: unknown) => {
      if (rest.signal) throw error;
      // The end of the process is a finding of its own.
      if (!limit.aborted) await Promise.race([running.exited, pause(endNoticed)]);
      else hanging.add(handler);
      const what = limit.aborted
        ? `got no response within ${Math.round(within / 1_000)} s`
        : `got no complete response (${(error as Error).message})`;
      const message = `${method} ${path} ${what}`;
      report.find('trouble/no-response', route, `${message}.`);
      throw new NoResponse(message, { cause: error });
    });
    inspectResponse({ who, request, response, shown }, { inventory, report, platform, site });
    return response;
  };
  const startCrawl = crawlStarter({
    ...{ definition, inventory, platform, report, send, fieldMarks },
    renewAccount: async ({ account }) => {
      if (account) await site?.accounts.renew(account);
    },
  });

  const operations = operationsByRoute(inventory);
  const stopNoting = platform.ledger.subscribe((entry) => {
    // Each call of an in-app site is a finding, so no check follows from it.
    if (auth === 'in-app') return;
    if (entry?.kind === 'call' && entry.outcome === 'pending') operations.note(entry);
  });
  const [first, second] = createPeople(platform, 2);
  if (!first || !second) throw new Error('The simulator created no personas.');
  const seeded = [first, second] as const;
  const found = new Map<Person, Found>();
  const close = async (): Promise<void> => {
    isClosing = true;
    stopListening();
    stopNoting();
    site?.store?.close();
    agent.destroy();
    await running.stop();
    await platform.close();
  };
  try {
    const { accounts } = definition;
    if (auth !== 'platform' && accounts) {
      const { passingTables = [] } = accounts;
      const opened = await openAccounts(accounts, platform, agent);
      const store = await openStore(running.databaseFile);
      const published = openPublished(definition.published ?? [], store?.query ?? null);
      site = {
        accounts: grantRoles(opened, store, inventory.routes),
        ...{ store, passingTables, published },
      };
      for (const [index, person] of seeded.entries()) {
        const account = opened.all[index];
        if (account) person.account = account;
      }
    }
    const crawls = await Promise.all(seeded.map((person) => startCrawl(person)));
    await Promise.all(crawls.map((crawl) => crawl.go()));
    // What one member has written may be on a page that the other has found empty, with forms of its own.
    for (let times = 0; site && times < mostReturns; times += 1) {
      const hasSent = await Promise.all(crawls.map((crawl) => crawl.go()));
      if (!hasSent.includes(true)) break;
    }
    for (const [index, person] of seeded.entries()) {
      const foundBy = crawls[index]?.found();
      if (foundBy) found.set(person, foundBy);
    }
  } catch (error) {
    // Open servers would keep the process alive.
    await close();
    throw error;
  }

  const known = inventory.routes.map((route): RouteUnderProof => {
    const of = <T>(choose: (foundBy: Found) => Map<Route, T[]>) =>
      new Map([...found].map(([person, foundBy]) => [person, choose(foundBy).get(route) ?? []]));
    return {
      ...route,
      addresses: of(({ addresses }) => addresses),
      submissions: of(({ submissions }) => submissions),
      refused: found.get(first)?.refused.get(route) ?? [],
      operations: operations.of(route),
    };
  });

  reportUnaccepted([...found.values()], known, report);

  const routes = known.filter(
    (route) => !selected || [...selected].some(({ id }) => id === route.id),
  );
  return {
    inventory,
    platform,
    onThisMachine,
    auth,
    site,
    siteLog: () => running.stdout() + running.stderr(),
    routes,
    allRoutes: known,
    seeded,
    addPeople: (count) => createPeople(platform, count),
    // Only actions that use the platform can fail with it.
    async crawl(person) {
      const brief = await startCrawl(person, (route) => operations.of(route).action.size > 0);
      await brief.go();
      return brief.found();
    },
    send,
    report,
    gathered() {
      const rules = site?.published;
      if (!rules) return report.gathered(routes, known, []);
      const excused = rules.excused();
      for (const route of routes) {
        if (route.showsPublished && !rules.hasSeen(route))
          report.notObserved('other-people', route, `${route.path} showed no published row`);
      }
      return report.gathered(routes, known, excused);
    },
    close,
  };
}

async function timeSimulator(platform: Platform<unknown>): Promise<OnThisMachine> {
  const visitor = httpVisitor(platform, null);
  const began = performance.now();
  for (let count = 0; count < timedResponses; count += 1) await visitor.get('/__auth/whoami');
  return machineThatTook(performance.now() - began, usualResponses);
}
