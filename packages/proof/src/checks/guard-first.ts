/**
 * Each loader and action, requested alone, calls the guard first, and an action does so before it reads the body.
 * `stage/listen.ts` reports calls in the wrong order, whichever check triggers them.
 */
import type { CallEntry } from '@gatehouse/simulator/platform';
import { dataAddressOf } from '../crawl/match.ts';
import type { ReceivedResponse } from '@gatehouse/simulator/http';
import type { Person } from '../people/people.ts';
import type { SiteRequest } from '../people/site-request.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { checkRoutes, type Check } from './check.ts';

export const guardFirst: Check = {
  name: 'guard-first',
  run: async (stage) => {
    const [{ id }] = stage.seeded;
    // Delays the guard's response, so that a call made concurrently with the guard always arrives before it.
    await stage.platform.faults.set('user', { kind: 'delay', ms: guardDelay }, { persona: id });
    try {
      await checkRoutes(stage, 'guard-first', stage.routes, (route) => checkRoute(route, stage));
    } finally {
      await stage.platform.faults.clear('user', id);
    }
  },
};

/** Milliseconds. */
const guardDelay = 50;

/** Milliseconds within which an action must call the guard while its body is held back, on an ordinary machine. */
const guardWithin = 20_000;

async function checkRoute(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, inventory, seeded } = stage;
  const [person] = seeded;
  const isPage = route.kind === 'page' && inventory.homeData !== null;
  let hasChecked = false;
  const isForPlatform = route.access === 'platform' || route.access === 'both';
  if (isForPlatform && person.account) await sendWithAccount(route, stage, person);

  if (route.operations.loader.size > 0) {
    for (const path of addressesOf(route, stage)) {
      const alone = isPage ? dataAddressOf(inventory, path, route.id) : path;
      await stage.send(person, { path: alone });
      hasChecked = true;
    }
  }
  if (route.operations.action.size > 0) {
    for (const submission of route.submissions.get(person) ?? []) {
      const path = isPage ? dataAddressOf(inventory, submission.path) : submission.path;
      const isGuardFirst = await callsBeforeBody(stage, person, { ...submission, path });
      if (!isGuardFirst) {
        report.find(
          'guard-first/body-first',
          route,
          `${submission.method ?? 'POST'} ${path} waits for the request body before it calls the guard.`,
        );
      }
      hasChecked = true;
    }
  }
  const reachesSdk = route.loader?.reachesSdk === true || route.action?.reachesSdk === true;
  if (hasChecked) report.checked('guard-first', route);
  else if (reachesSdk) {
    report.notObserved(
      'guard-first',
      route,
      'no request made the route call the SDK, although its code reaches it',
    );
  }
}

/** A layout has no address of its own: its loader can be requested at the address of any page inside it. */
function addressesOf(
  route: RouteUnderProof,
  { allRoutes, seeded: [person] }: Stage,
): readonly string[] {
  if (!route.isLayout) return route.addresses.get(person) ?? [];
  const inside = allRoutes.filter(
    ({ isLayout, path }) => !isLayout && (path === route.path || path.startsWith(`${route.path}/`)),
  );
  return inside.flatMap(({ addresses }) => addresses.get(person) ?? []).slice(0, 1);
}

/** A site account is not a platform session: a route that refuses signed-out visitors must refuse it too. */
async function sendWithAccount(
  route: RouteUnderProof,
  { send, report }: Stage,
  person: Person,
): Promise<void> {
  const requests: SiteRequest[] = [
    ...(route.addresses.get(person) ?? []).map((path) => ({ path })),
    ...(route.submissions.get(person) ?? []),
  ];
  for (const request of requests) {
    if (!isRefused(await send(null, request))) continue;
    const response = await send(person, { ...request, only: 'account' });
    if (isRefused(response) || response.status >= 500) continue;
    const message = `${request.method ?? 'GET'} ${request.path} is refused signed out, but returns ${response.status} to a site account without a platform session.`;
    report.find('guard-first/account-for-platform', route, message);
  }
}

function isRefused({ status, headers, text }: ReceivedResponse): boolean {
  return (
    status === 401 ||
    headers.location?.includes('/__auth/login') === true ||
    text.includes('"unauthorized"')
  );
}

/**
 * Sends half of the body, and the rest once the site has called the platform or {@link guardWithin} has passed.
 * `stage/listen.ts` reports it if that first call is not the guard.
 */
async function callsBeforeBody(
  stage: Stage,
  person: Person,
  request: SiteRequest,
): Promise<boolean> {
  const { platform } = stage;
  let hear: (called: boolean) => void = () => undefined;
  const heard = new Promise<boolean>((resolve) => (hear = resolve));
  let timer: NodeJS.Timeout | undefined;
  // Starts only now, because the request may have waited for a free connection.
  const restWhen = () => {
    timer = setTimeout(hear, stage.onThisMachine(guardWithin), false);
    return heard;
  };
  const stop = platform.ledger.subscribe((entry) => {
    if (entry?.kind === 'call' && isOf(entry, person, request)) hear(true);
  });
  try {
    const response = stage.send(person, { ...request, restWhen });
    // A response without reading the body is allowed.
    const responded = response.then(() => true);
    return await Promise.race([heard, responded]).finally(() => response);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

function isOf({ siteRequest, persona }: CallEntry, { id }: Person, request: SiteRequest): boolean {
  return (
    persona === id && siteRequest?.path === request.path && siteRequest.method === request.method
  );
}
