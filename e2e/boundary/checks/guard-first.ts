/**
 * Each loader and each action by itself asks first who the visitor is. An action does so before
 * it waits for its body. Calls that break the order are heard by `stage/listen.ts`, wherever they happen.
 */
import type { CallEntry } from '../../harness/internal-api/ledger';
import { dataAddressOf } from '../crawl/match';
import type { Answer } from '../../harness/browser/visitor-http';
import type { Person } from '../people/people';
import type { SiteRequest } from '../people/site-request';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Check } from './check';

export const guardFirst: Check = {
  name: 'guard-first',
  run: async (stage) => {
    const [{ id }] = stage.seeded;
    // A call beside the guard is then there before the guard's answer, however fast both are.
    await stage.platform.faults.set('user', { kind: 'delay', ms: guardDelay }, { persona: id });
    try {
      await Promise.all(stage.routes.map((route) => lookAt(route, stage)));
    } finally {
      await stage.platform.faults.clear('user', id);
    }
  },
};

/** Milliseconds. */
const guardDelay = 50;

/** Milliseconds in which an action must have asked who somebody is, before their body comes. */
const guardWithin = 10_000;

async function lookAt(route: RouteUnderProof, stage: Stage): Promise<void> {
  const { report, inventory, seeded } = stage;
  const [person] = seeded;
  const isPage = route.kind === 'page' && inventory.hasDataRequests;
  let hasLooked = false;
  if (route.access === 'platform' && person.account) await askByAccount(route, stage, person);

  if (route.operations.loader.size > 0) {
    for (const path of addressesOf(route, stage)) {
      const alone = isPage ? dataAddressOf(path, route.id) : path;
      await stage.ask(person, { path: alone });
      hasLooked = true;
    }
  }
  if (route.operations.action.size > 0) {
    for (const submission of route.submissions.get(person) ?? []) {
      const path = isPage ? dataAddressOf(submission.path) : submission.path;
      const asked = await asksBeforeTheBody(stage, person, { ...submission, path });
      if (!asked) {
        report.find(
          'guard-first/body-first',
          route,
          `${submission.method ?? 'POST'} ${path} waits for the body before it asks who the visitor is.`,
        );
      }
      hasLooked = true;
    }
  }
  const reachesSdk = route.loader?.reachesSdk === true || route.action?.reachesSdk === true;
  if (hasLooked) report.looked('guard-first', route);
  else if (reachesSdk) {
    report.notObserved(
      'guard-first',
      route,
      'no request made the route call the SDK that it reaches',
    );
  }
}

/** A layout's loader runs alone at the address of any page in it. */
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

/** A site account alone is no sign-in at the platform: what refuses a signed-out visitor must refuse it, too. */
async function askByAccount(
  route: RouteUnderProof,
  { ask, report }: Stage,
  person: Person,
): Promise<void> {
  const requests: SiteRequest[] = [
    ...(route.addresses.get(person) ?? []).map((path) => ({ path })),
    ...(route.submissions.get(person) ?? []),
  ];
  for (const request of requests) {
    if (!isRefused(await ask(null, request))) continue;
    const answer = await ask(person, { ...request, only: 'account' });
    if (isRefused(answer) || answer.status >= 500) continue;
    const message = `${request.method ?? 'GET'} ${request.path} is refused signed out, and answered ${answer.status} for a site account without the platform’s.`;
    report.find('guard-first/account-for-platform', route, message);
  }
}

function isRefused({ status, headers, text }: Answer): boolean {
  return (
    status === 401 ||
    headers.location?.includes('/__auth/login') === true ||
    text.includes('"unauthorized"')
  );
}

/**
 * Sends half of a request's body, and the rest only when the site has asked the platform, or takes too long about it.
 * What it asks first is judged by `stage/listen.ts`.
 */
async function asksBeforeTheBody(
  stage: Stage,
  person: Person,
  request: SiteRequest,
): Promise<boolean> {
  const { platform } = stage;
  let hear: (asked: boolean) => void = () => undefined;
  const heard = new Promise<boolean>((resolve) => (hear = resolve));
  const timer = setTimeout(() => {
    hear(false);
  }, guardWithin);
  const stop = platform.ledger.subscribe((entry) => {
    if (entry?.kind === 'call' && isOf(entry, person, request)) hear(true);
  });
  try {
    const answer = stage.ask(person, { ...request, restWhen: heard });
    // An answer that needs no body at all is no fault.
    const isAnswered = answer.then(() => true);
    return await Promise.race([heard, isAnswered]).finally(() => answer);
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
