/** The platform fails in each way, at each operation that a route uses: the page says so, and recovers by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultInput, FaultKind } from '../../harness/internal-api/faults';
import { hasParameters } from '../crawl/match';
import { readPageText } from '../crawl/page-contents';
import type { Found } from '../crawl/crawl';
import type { Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

/** `words-of-the-upstream` may stand in no answer but a relayed refusal. */
const words = '{"error":"words-of-the-upstream"}';

const troubles: Readonly<Record<string, FaultInput>> = {
  refuses: { kind: 'status', status: 403, body: words },
  'has too much to do': { kind: 'status', status: 429, body: words },
  'is down': { kind: 'status', status: 503, body: words },
  breaks: {
    kind: 'status',
    status: 500,
    body: '<h1>words-of-the-upstream</h1>',
    contentType: 'text/html',
  },
  // No canary here: a route that serves a file may relay these bytes as the file.
  'sends garbage': { kind: 'bad_json', body: '{"id":"g' },
  'breaks off': { kind: 'truncated' },
  'hangs up': { kind: 'reset' },
  redirects: { kind: 'redirect' },
  'sends too much': { kind: 'oversized', bytes: 2 * 1024 * 1024 },
};

/** Faults in the middle of an answer. */
const cutting: ReadonlySet<FaultKind> = new Set(['truncated', 'reset', 'oversized']);

const hangs: FaultInput = { kind: 'delay', ms: 120_000 };

/** Milliseconds in which all is well again. */
const recoverWithin = 3_000;

/** Milliseconds: to ask without end would keep the site from its work. */
const betweenTries = 100;

/** @param answerWithin milliseconds in which even a call with a long deadline of its own has been given up. */
export const trouble = (answerWithin = 40_000): Check => ({
  name: 'trouble',
  async run(stage) {
    const used = [...new Set(stage.routes.flatMap((route) => [...usedBy(route)]))];
    const play = async (how: string, fault: FaultInput, endpoints: readonly string[]) => {
      const [person] = stage.addPeople(1);
      if (!person) return;
      const found = await stage.crawl(person);
      const taken = await takenSubmissions(stage, person, found);
      for (const endpoint of endpoints) {
        await strike(stage, { person, answerWithin, found, taken, how, fault, endpoint });
      }
    };
    // A hanging call takes seconds, so each operation that hangs has a person of its own, and all wait together.
    const hanging = used.map((endpoint) => play('does not answer', hangs, [endpoint]));
    const others = Object.entries(troubles).values();
    const sideBySide = Array.from({ length: 3 }, async () => {
      for (const [how, fault] of others) await play(how, fault, used);
    });
    await Promise.all([...hanging, ...sideBySide, newcomers(stage, used, answerWithin)]);
  },
});

/** People whose first request meets the outage: a site that caches answers would keep that failure. */
async function newcomers(
  stage: Stage,
  endpoints: readonly string[],
  answerWithin: number,
): Promise<void> {
  const [first] = stage.seeded;
  const [control, ...people] = stage.addPeople(endpoints.length + 1);
  if (!control) return;
  const addresses = new Map<RouteUnderProof, string[]>();
  for (const route of stage.routes) {
    // These people own nothing yet that an address could name.
    const path = route.addresses.get(first)?.find((one) => !one.includes('?'));
    if (path === undefined || hasParameters(route) || usedBy(route).size === 0) continue;
    // A page may refuse whoever owns nothing.
    if ((await stage.ask(control, { path })).status < 400) addresses.set(route, [path]);
  }
  const found = { addresses, submissions: new Map<RouteUnderProof, SiteRequest[]>() };
  const how = 'is down';
  for (const [index, endpoint] of endpoints.entries()) {
    const person = people[index];
    const fault = troubles[how];
    if (!person || !fault) return;
    const taken = new Set<SiteRequest>();
    await strike(stage, { person, answerWithin, found, taken, how, fault, endpoint });
  }
}

/** What forms are taken as they were filled, when nothing is wrong. */
async function takenSubmissions(
  stage: Stage,
  person: Person,
  { submissions }: Found,
): Promise<Set<SiteRequest>> {
  const taken = new Set<SiteRequest>();
  for (const [request] of submissions.values()) {
    if (request && (await stage.ask(person, request)).status < 400) taken.add(request);
  }
  return taken;
}

interface Strike {
  person: Person;
  found: Pick<Found, 'addresses' | 'submissions'>;
  taken: ReadonlySet<SiteRequest>;
  how: string;
  fault: FaultInput;
  endpoint: string;
  answerWithin: number;
}

async function strike(
  stage: Stage,
  { person, found, taken, how, fault, endpoint, answerWithin }: Strike,
): Promise<void> {
  const { platform, report } = stage;
  const isGuard = endpoint === 'user';
  const struck = stage.routes.flatMap((route) =>
    requestsOf(route, endpoint, found).map((request) => ({ route, request })),
  );
  // A failed guard relays the platform's body (W10), so this one carries no canary.
  const given =
    isGuard && fault.kind === 'status'
      ? { ...fault, body: '{"error":"refused"}', contentType: 'application/json' }
      : fault;
  await platform.faults.set(endpoint, given, { persona: person.id });
  await Promise.all(
    struck.map(async ({ route, request }) => {
      const at = `${request.method ?? 'GET'} ${request.path}, when the platform ${how} at ${endpoint},`;
      const signal = AbortSignal.timeout(answerWithin);
      const answer = await stage.ask(person, { ...request, signal }).catch(() => null);
      if (!answer) {
        const isCutOff = !signal.aborted;
        // When the platform breaks a file off, a broken answer is the right one.
        if (isCutOff && route.kind === 'resource' && cutting.has(fault.kind)) return;
        const how = isCutOff ? 'is cut off' : `has no answer after ${answerWithin / 1000} s`;
        report.find('trouble/no-answer', route, `${at} ${how}.`);
        return;
      }
      const isRelayed = isGuard && given.kind === 'status' && given.status === answer.status;
      if (answer.status === 500 && !isRelayed)
        report.find('trouble/server-error', route, `${at} is answered 500.`);
      const isHtml = /html/.test(answer.headers['content-type'] ?? '');
      if (isHtml && readPageText(answer.text) === '')
        report.find('trouble/blank', route, `${at} is a page without a word.`);
    }),
  );
  await platform.faults.clear(endpoint, person.id);
  for (const { route } of struck) report.looked('trouble', route);
  await Promise.all(
    struck.map(async ({ route, request }) => {
      if (request.method !== undefined && !taken.has(request)) return;
      const deadline = Date.now() + recoverWithin;
      // A busy machine may take that long for one answer.
      for (let tries = 0; tries < 3 || Date.now() < deadline; tries++) {
        const answer = await stage.ask(person, request).catch(() => null);
        if (answer && answer.status < 400) return;
        await pause(betweenTries);
      }
      const at = `${request.method ?? 'GET'} ${request.path}`;
      report.find(
        'trouble/not-recovered',
        route,
        `${at} still fails 3 s after the platform, which ${how} at ${endpoint}, is well again.`,
      );
    }),
  );
}

/** With `user`, which its guard asks. */
function usedBy({ operations: { loader, action } }: RouteUnderProof): Set<string> {
  return loader.size + action.size > 0 ? new Set(['user', ...loader, ...action]) : new Set();
}

function requestsOf(
  route: RouteUnderProof,
  endpoint: string,
  found: Strike['found'],
): SiteRequest[] {
  const { loader, action } = route.operations;
  const uses = (operations: ReadonlySet<string>) =>
    operations.has(endpoint) || (endpoint === 'user' && operations.size > 0);
  const [path] = of(found.addresses, route);
  return [
    ...(uses(loader) && path !== undefined ? [{ path }] : []),
    // Each form of an action may use another operation.
    ...(uses(action) ? of(found.submissions, route) : []),
  ];
}

function of<T>(found: ReadonlyMap<{ id: string }, T[]>, { id }: { id: string }): T[] {
  for (const [route, list] of found) if (route.id === id) return list;
  return [];
}
