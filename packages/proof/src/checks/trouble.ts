/** Injects each fault into each operation that a route uses: the site must respond without a 500, and recover afterwards. */
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { FaultInput, FaultKind } from '@gatehouse/simulator/platform';
import { hasParameters } from '../crawl/match.ts';
import { readPageText } from '../crawl/page-contents.ts';
import type { Found } from '../crawl/crawl.ts';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import { nullIfNoResponse, type RouteUnderProof, type Stage } from '../stage/stage.ts';
import { fewAtOnce, type Check } from './check.ts';

/** No response except that of the relay `/api/user` may contain `words-of-the-upstream`. */
const words = '{"error":"words-of-the-upstream"}';

/** The same for the guard's call: an operation that is refused relays it as JSON (W10), but a page must not show it. */
const guardWords = 'refusal-of-the-upstream';

const faults: Readonly<Record<string, FaultInput>> = {
  'returns 403': { kind: 'status', status: 403, body: words },
  'returns 429': { kind: 'status', status: 429, body: words },
  'returns 503': { kind: 'status', status: 503, body: words },
  'returns 500': {
    kind: 'status',
    status: 500,
    body: '<h1>words-of-the-upstream</h1>',
    contentType: 'text/html',
  },
  // No canary here: a route that serves a file may relay these bytes as the file.
  'returns invalid JSON': { kind: 'bad_json', body: '{"id":"g' },
  'truncates its response': { kind: 'truncated' },
  'resets the connection': { kind: 'reset' },
  redirects: { kind: 'redirect' },
  'returns an oversized response': { kind: 'oversized', bytes: 2 * 1024 * 1024 },
};

/** Faults in the middle of a response. */
const cutting: ReadonlySet<FaultKind> = new Set(['truncated', 'reset', 'oversized']);

const hangs: FaultInput = { kind: 'delay', ms: 120_000 };

/** Milliseconds for a route to work again after the fault has ended. */
const recoverWithin = 3_000;

/** Milliseconds: requests without a pause would slow down the site. */
const betweenTries = 100;

/** @param longest milliseconds within which the site must respond; longer than the longest deadline of a call. */
export const trouble = (longest = 40_000): Check => ({
  name: 'trouble',
  async run(stage) {
    const respondWithin = stage.onThisMachine(longest);
    const used = [...new Set(stage.routes.flatMap((route) => [...usedBy(route)]))];
    const crawls = pLimit(fewAtOnce);
    // A call that hangs takes seconds until its deadline. With one person per operation they all wait concurrently, while
    // the other people are crawled.
    const hanging = used.map(async (endpoint) => {
      const visitor = await crawls(() => addVisitor(stage));
      await injectFault(stage, {
        ...visitor,
        endpoint,
        respondWithin,
        how: 'does not respond',
        fault: hangs,
      });
    });
    const others = pLimit(fewAtOnce).map(Object.entries(faults), async ([how, fault]) => {
      const visitor = await crawls(() => addVisitor(stage));
      for (const endpoint of used) {
        await injectFault(stage, { ...visitor, how, fault, endpoint, respondWithin });
      }
    });
    await Promise.all([...hanging, others, newcomers(stage, used, respondWithin)]);
  },
});

/** People whose first request fails: a site that caches per visitor would cache the failure. */
async function newcomers(
  stage: Stage,
  endpoints: readonly string[],
  respondWithin: number,
): Promise<void> {
  const [first] = stage.seeded;
  const [control, ...people] = stage.addPeople(endpoints.length + 1);
  if (!control) return;
  const addresses = new Map<RouteUnderProof, string[]>();
  for (const route of stage.routes) {
    // These people have created nothing that an address with parameters or a query could name.
    const path = route.addresses.get(first)?.find((address) => !address.includes('?'));
    if (path === undefined || hasParameters(route) || usedBy(route).size === 0) continue;
    // A page may refuse a visitor who has created nothing.
    const response = await stage.send(control, { path }).catch(nullIfNoResponse);
    if (response && response.status < 400) addresses.set(route, [path]);
  }
  const found = { addresses, submissions: new Map<RouteUnderProof, SiteRequest[]>() };
  const how = 'returns 503';
  for (const [index, endpoint] of endpoints.entries()) {
    const person = people[index];
    const fault = faults[how];
    if (!person || !fault) return;
    const taken = new Set<SiteRequest>();
    await injectFault(stage, { person, respondWithin, found, taken, how, fault, endpoint });
  }
}

type Visitor = Pick<Injection, 'person' | 'found' | 'taken'>;

/** A new person, for whom the site has been crawled without a fault. */
async function addVisitor(stage: Stage): Promise<Visitor> {
  const [person] = stage.addPeople(1);
  if (!person) throw new Error('The simulator created no persona.');
  const found = await stage.crawl(person);
  return { person, found, taken: await takenSubmissions(stage, person, found) };
}

/** The submissions that the site accepts each time: without those that delete what they act on. */
async function takenSubmissions(
  stage: Stage,
  person: Person,
  { submissions }: Found,
): Promise<Set<SiteRequest>> {
  const taken = new Set<SiteRequest>();
  for (const [request] of submissions.values()) {
    if (!request) continue;
    const isTaken = async () => {
      const response = await stage.send(person, request).catch(nullIfNoResponse);
      return response !== null && response.status < 400;
    };
    if ((await isTaken()) && (await isTaken())) taken.add(request);
  }
  return taken;
}

interface Injection {
  person: Person;
  found: Pick<Found, 'addresses' | 'submissions'>;
  taken: ReadonlySet<SiteRequest>;
  how: string;
  fault: FaultInput;
  endpoint: string;
  respondWithin: number;
}

async function injectFault(
  stage: Stage,
  { person, found, taken, how, fault, endpoint, respondWithin }: Injection,
): Promise<void> {
  const { platform, report } = stage;
  const isGuard = endpoint === 'user';
  const affected = stage.routes.flatMap((route) =>
    requestsOf(route, endpoint, found).map((request) => ({ route, request })),
  );
  // `guardFailureResponse` relays the platform's body (W10), so for the guard the canary is another one.
  const given =
    isGuard && fault.kind === 'status'
      ? { ...fault, body: `{"error":"${guardWords}"}`, contentType: 'application/json' }
      : fault;
  await platform.faults.set(endpoint, given, { persona: person.id });
  await Promise.all(
    affected.map(async ({ route, request }) => {
      const at = `While the platform ${how} at ${endpoint}, ${request.method ?? 'GET'} ${request.path}`;
      const signal = AbortSignal.timeout(respondWithin);
      const response = await stage.send(person, { ...request, signal }).catch(() => null);
      if (!response) {
        const isCutOff = !signal.aborted;
        // A resource that streams the platform's response can only cut off its own.
        if (isCutOff && route.kind === 'resource' && cutting.has(fault.kind)) return;
        const what = isCutOff
          ? 'was cut off'
          : `got no response within ${Math.round(respondWithin / 1000)} s`;
        report.find('trouble/no-response', route, `${at} ${what}.`);
        return;
      }
      const isRelayed = isGuard && given.kind === 'status' && given.status === response.status;
      if (response.status === 500 && !isRelayed)
        report.find('trouble/server-error', route, `${at} returned 500.`);
      const isHtml = /html/.test(response.headers['content-type'] ?? '');
      if (isHtml && response.text.includes(guardWords)) {
        const message = `${at} returned the platform’s text in a page.`;
        report.find('leaks/upstream-text', route, message);
      }
      if (isHtml && readPageText(response.text) === '')
        report.find('trouble/blank', route, `${at} returned a page without text.`);
    }),
  );
  await platform.faults.clear(endpoint, person.id);
  let again: Promise<Found> | undefined;
  const crawlAgain = () => (again ??= stage.crawl(person));
  for (const { route } of affected) report.checked('trouble', route);
  await Promise.all(
    affected.map(async ({ route, request }) => {
      if (request.method !== undefined && !taken.has(request)) return;
      const deadline = Date.now() + recoverWithin;
      let status: number | undefined;
      // On a busy machine one response may take that long.
      for (let tries = 0; tries < 3 || Date.now() < deadline; tries++) {
        const signal = AbortSignal.timeout(respondWithin);
        const response = await stage.send(person, { ...request, signal }).catch(() => null);
        status = response?.status;
        if (status !== undefined && (status < 400 || isGone(status))) break;
        await pause(betweenTries);
      }
      if (status !== undefined && status < 400) return;
      if (isGone(status) && (await worksAnew(stage, person, route, request, await crawlAgain())))
        return;
      const at = `${request.method ?? 'GET'} ${request.path}`;
      const outcome = status === undefined ? 'gets no response' : `returns ${status}`;
      report.find(
        'trouble/not-recovered',
        route,
        `${at} still ${outcome} 3 s after a fault at ${endpoint} ended (the platform ${how}).`,
      );
    }),
  );
}

/** What the request is about may have been deleted by a form meanwhile. */
function isGone(status: number | undefined): boolean {
  return status !== undefined && [404, 409, 410].includes(status);
}

/** Whether the request succeeds as the site's pages offer it now. One that no page offers any more counts as succeeding. */
async function worksAnew(
  stage: Stage,
  person: Person,
  route: RouteUnderProof,
  { method, path, form }: SiteRequest,
  found: Found,
): Promise<boolean> {
  if (method === undefined) {
    return !of(found.refused, route).some((address) => address.path === path);
  }
  const shown = of(found.submissions, route).filter((submission) => submission.form === form);
  for (const request of shown) {
    const response = await stage.send(person, request).catch(nullIfNoResponse);
    if (response && response.status < 400) return true;
  }
  return shown.length === 0;
}

/** The route's operations, and `user`, which its guard calls. */
function usedBy({ operations: { loader, action } }: RouteUnderProof): Set<string> {
  return loader.size + action.size > 0 ? new Set(['user', ...loader, ...action]) : new Set();
}

function requestsOf(
  route: RouteUnderProof,
  endpoint: string,
  found: Injection['found'],
): SiteRequest[] {
  const { loader, action } = route.operations;
  const uses = (operations: ReadonlySet<string>) =>
    operations.has(endpoint) || (endpoint === 'user' && operations.size > 0);
  const [path] = of(found.addresses, route);
  return [
    ...(uses(loader) && path !== undefined ? [{ path }] : []),
    // Each form of an action may use a different operation.
    ...(uses(action) ? of(found.submissions, route) : []),
  ];
}

function of<T>(found: ReadonlyMap<{ id: string }, T[]>, { id }: { id: string }): T[] {
  for (const [route, list] of found) if (route.id === id) return list;
  return [];
}
