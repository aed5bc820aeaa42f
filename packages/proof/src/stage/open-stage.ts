/** Starts the site behind the simulator, and crawls it as two people. */
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { httpVisitor, type ReceivedResponse } from '@gatehouse/simulator/http';
import type { ExampleRequest, SiteDefinition } from '@gatehouse/simulator';
import {
  machineThatTook,
  type OnThisMachine,
  startPlatform,
  type Platform,
} from '@gatehouse/simulator/platform';
import { startSite, type SiteOptions } from '@gatehouse/simulator/programs';
import { crawl, type Found } from '../crawl/crawl.ts';
import { routeOf } from '../crawl/match.ts';
import type { Inventory, Route } from '../inventory/route.ts';
import { openAccounts } from '../people/accounts.ts';
import { inspectResponse, listenToLedger, siteAddressOf } from './listen.ts';
import { operationsByRoute } from './operations.ts';
import { createPeople, type Person } from '../people/people.ts';
import { createReport, type Gathered } from './report.ts';
import type { SiteRequest } from '../people/site-request.ts';
import {
  nullIfNoResponse,
  reasonOf,
  NoResponse,
  type Report,
  type RouteUnderProof,
  type SiteSide,
  type Stage,
} from './stage.ts';
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

/** Milliseconds to advance the simulator’s clock, so that submitted jobs finish. */
const workTime = 120_000;
const peopleAtOnce = 200;
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
  const send = async (who: Person | null, request: SiteRequest): Promise<ReceivedResponse> => {
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
    inspectResponse({ who, request, response }, { inventory, report, platform, site });
    return response;
  };
  const lookAround = (person: Person, only?: (route: Route) => boolean): Promise<Found> => {
    const profile = platform.personas.find(({ id }) => id === person.id)?.profile;
    const parts = { state: platform.state, person: person.id, profile };
    return crawl(person, {
      inventory,
      send: (who, request) => send(who, request).catch(nullIfNoResponse),
      reportUntested: (route, error) => {
        const message = `The crawl could not read ${route.path}: ${reasonOf(error)}.`;
        report.find('trouble/not-tested', route, message);
      },
      ...(only && { only }),
      addresses: [...(definition.addresses ?? []), ...(definition.prepare?.(parts) ?? [])],
      requests: (definition.requests?.(parts) ?? []).map((request) =>
        requestOf(typeof request === 'function' ? request(parts) : request),
      ),
      letWorkEnd: () => {
        platform.clock.advance(workTime);
      },
      renewAccount: async ({ account }) => {
        if (account) await site?.accounts.renew(account);
      },
    });
  };

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
      site = {
        accounts: opened,
        store: await openStore(running.databaseFile),
        passingTables,
      };
      for (const [index, person] of seeded.entries()) {
        const account = opened.all[index];
        if (account) person.account = account;
      }
    }
    const seen = await Promise.all(
      seeded.map(async (person) => [person, await lookAround(person)] as const),
    );
    for (const [person, foundBy] of seen) found.set(person, foundBy);
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
    crawl: (person) => lookAround(person, (route) => operations.of(route).action.size > 0),
    send,
    report,
    gathered: () => report.gathered(routes, known),
    close,
  };
}

async function timeSimulator(platform: Platform<unknown>): Promise<OnThisMachine> {
  const visitor = httpVisitor(platform, null);
  const began = performance.now();
  for (let count = 0; count < timedResponses; count += 1) await visitor.get('/__auth/whoami');
  return machineThatTook(performance.now() - began, usualResponses);
}

/**
 * A form that the site has never accepted may lead to rows and pages that no check has seen. A request of `e2e/site.ts` to
 * the same route makes up for it. So does another form to it with fields to type in, where this one has none: a script
 * adds them.
 */
function reportUnaccepted(
  found: readonly Found[],
  routes: readonly RouteUnderProof[],
  report: Report,
): void {
  for (const route of routes) {
    const sent = found.flatMap(({ forms }) =>
      [...forms].filter(([, form]) => form.route?.id === route.id),
    );
    const accepted = sent.filter(([, { isAccepted }]) => isAccepted);
    const isCovered = (key: string, makes: boolean) =>
      accepted.some(
        ([acceptedKey, form]) =>
          acceptedKey === key || form.names === null || (!makes && form.makes),
      );
    // One without fields is refused for what it is about, such as an order that has ended.
    const refused = sent.find(([key, { names, makes }]) => names?.length && !isCovered(key, makes));
    if (!refused) continue;
    const why = `the site never accepted ${refused[1].at}, so what it leads to is not proven: add such a request to \`requests\` in e2e/site.ts`;
    report.notObserved('other-people', route, why);
  }
}

function requestOf({ json, ...request }: ExampleRequest): SiteRequest {
  if (json === undefined) return request;
  return {
    ...request,
    headers: { 'content-type': 'application/json', ...request.headers },
    body: JSON.stringify(json),
  };
}
