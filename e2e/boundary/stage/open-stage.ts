/** Starts the site behind the simulator, and has two people look at all of it. */
import { Agent } from 'node:http';
import { httpVisitor, type Answer } from '../../harness/browser/visitor-http';
import type { ExampleRequest, SiteDefinition } from '../../harness/definition';
import { startPlatform } from '../../harness/platform';
import { startSite, type SiteOptions } from '../../harness/programs/site-process';
import { crawl, type Found } from '../crawl/crawl';
import type { Inventory, Route } from '../inventory/route';
import { handlerOf, judge, listenToLedger } from './listen';
import { createPeople, type Person } from './people';
import { createReport, type Gathered } from './report';
import type { RouteUnderProof, SiteRequest, Stage } from './stage';

export interface OpenStage extends Stage {
  gathered: () => Gathered;
  close: () => Promise<void>;
}

export interface StageOptions<State = unknown> {
  definition: SiteDefinition<State>;
  inventory: Inventory;
  /** How the site is started, if not as `npm start` does. */
  start?: Partial<SiteOptions>;
  /** Which routes to prove. Default: all. */
  isWanted?: (route: Route) => boolean;
}

/** Milliseconds by which the simulator’s clock is moved on: what somebody has ordered is there then. */
const workTime = 120_000;
const peopleAtOnce = 200;

export async function openStage<State>(options: StageOptions<State>): Promise<OpenStage> {
  const { definition, inventory, isWanted = () => true } = options;
  const platform = await startPlatform(definition.platform, { port: 0, internalPort: 0 });
  const site = await startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    smtpUrl: platform.smtpUrl,
    ...options.start,
  }).catch(async (error: unknown) => {
    await platform.close();
    throw error;
  });
  platform.setSiteUpstream(site.url);

  const report = createReport();
  const { auth = 'platform' } = definition;
  const stopListening = listenToLedger(platform, { inventory, report, auth });
  const agent = new Agent({ keepAlive: false, maxSockets: peopleAtOnce });
  const visitors = new Map<string | null, ReturnType<typeof httpVisitor>>();
  const visitorOf = (who: Person | null) => {
    const known = visitors.get(who?.id ?? null);
    const visitor = known ?? httpVisitor(platform, who?.id ?? null, agent);
    visitors.set(who?.id ?? null, visitor);
    return visitor;
  };
  const ask = async (who: Person | null, request: SiteRequest): Promise<Answer> => {
    const { path, isFromElsewhere, ...rest } = request;
    const { method = 'GET' } = rest;
    const isOwn = !isFromElsewhere && method !== 'GET' && method !== 'HEAD';
    const answer = await (isOwn
      ? visitorOf(who).post(path, rest)
      : visitorOf(who).send(path, rest));
    judge({ who, request, answer }, { inventory, report, platform });
    return answer;
  };
  const lookAround = (person: Person, isBrief = false): Promise<Found> =>
    crawl(person, {
      inventory,
      ask,
      isBrief,
      addresses: [
        ...(definition.addresses ?? []),
        ...(definition.prepare?.({ state: platform.state, person: person.id }) ?? []),
      ],
      requests: (definition.requests ?? []).map(requestOf),
      letWorkEnd: () => {
        platform.clock.advance(workTime);
      },
    });

  const operations = operationsByRoute(inventory);
  const stopNoting = platform.ledger.subscribe((entry) => {
    if (entry?.kind === 'call' && entry.outcome === 'pending') operations.note(entry);
  });
  const [first, second] = createPeople(platform, 2);
  if (!first || !second) throw new Error('The platform made nobody.');
  const seeded = [first, second] as const;
  const found = new Map<Person, Found>();
  const close = async (): Promise<void> => {
    stopListening();
    stopNoting();
    agent.destroy();
    await site.stop();
    await platform.close();
  };
  try {
    for (const person of seeded) found.set(person, await lookAround(person));
  } catch (error) {
    // Servers that stay open would keep the program from ending.
    await close();
    throw error;
  }

  const known = inventory.routes.map((route): RouteUnderProof => {
    const of = <T>(choose: (one: Found) => Map<Route, T[]>) =>
      new Map([...found].map(([person, one]) => [person, choose(one).get(route) ?? []]));
    return {
      ...route,
      addresses: of(({ addresses }) => addresses),
      submissions: of(({ submissions }) => submissions),
      refused: found.get(first)?.refused.get(route) ?? [],
      operations: operations.of(route),
    };
  });

  const routes = known.filter(isWanted);
  return {
    inventory,
    platform,
    siteLog: () => site.stdout() + site.stderr(),
    routes,
    seeded,
    addPeople: (count) => createPeople(platform, count),
    crawl: (person) => lookAround(person, true),
    ask,
    report,
    gathered: () => report.gathered(routes),
    close,
  };
}

function requestOf({ json, ...request }: ExampleRequest): SiteRequest {
  if (json === undefined) return request;
  return {
    ...request,
    headers: { 'content-type': 'application/json', ...request.headers },
    body: JSON.stringify(json),
  };
}

/** Which operations the code of each route was seen to use, wherever one loader or action ran alone. */
function operationsByRoute(inventory: Inventory) {
  const used = new Map<string, Record<'loader' | 'action', Set<string>>>();
  const of = ({ id }: Route) => {
    const known = used.get(id) ?? { loader: new Set<string>(), action: new Set<string>() };
    used.set(id, known);
    return known;
  };
  return {
    of,
    note({
      siteRequest,
      endpoint,
    }: {
      siteRequest: { method: string; path: string } | null;
      endpoint: string;
    }) {
      if (!siteRequest || endpoint === 'user') return;
      const ran = handlerOf(siteRequest, inventory);
      if (ran?.handler) of(ran.route)[ran.handler].add(endpoint);
    },
  };
}
