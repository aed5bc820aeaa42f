/**
 * Platform outages in a browser: the page must show some text, none of the platform's, and must recover by itself or with
 * a button. Only faults that a browser can tell apart: a refused connection gives the same 502 as invalid JSON.
 * `trouble.ts` covers all faults over HTTP.
 */
import type { FaultInput } from '@gatehouse/simulator/platform';
import { sdkRoutesOf } from './sdk-routes.ts';
import { BrowserUnusable, outagesAtOnce, type ProofBrowser } from '../visit/proof-browser.ts';
import { secretsIn, type Person } from '../people/people.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { callProbe, nullIfNavigated } from '../visit/probe.ts';
import { isSignIn, pagesOf, visitPage } from '../visit/visit-page.ts';
import { checkRoutes, inSequence, type Check } from './check.ts';
import { lastResponses, openPage, recover, type OpenPage } from './recovery.ts';

const words = 'words-of-the-upstream';

const faults: readonly { how: string; fault: FaultInput }[] = [
  { how: 'does not respond', fault: { kind: 'delay', ms: 30_000 } },
  { how: 'returns 503', fault: { kind: 'status', status: 503, body: `{"error":"${words}"}` } },
  { how: 'returns invalid JSON', fault: { kind: 'bad_json', body: `{"id":"${words}","name":` } },
];

/** Milliseconds for a page to load during a fault, on an ordinary machine. The time without a fault is added. */
const opensWithin = 12_000;

/** A browser opens six connections per host, and each page keeps one busy while the platform hangs. */
const tabsAtOnce = 5;

export function troubleInBrowser(browser: ProofBrowser): Check {
  return { name: 'trouble', run: (stage) => run(browser, stage) };
}

async function run(browser: ProofBrowser, stage: Stage): Promise<void> {
  // A site that never calls the platform does not notice its outages.
  if (stage.auth === 'in-app') return;
  const pages = pagesOf(stage);
  const lanes = Math.min(outagesAtOnce, pages.length);
  // Concurrently, as different people: waiting for a platform that hangs costs time but no CPU.
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => {
      const share = pages.filter((_page, index) => index % lanes === lane);
      return visitDuringOutages(browser, stage, share);
    }),
  );
}

/** The guard fails first. Meanwhile the pages' visits find out which operations they use, and those fail next. */
async function visitDuringOutages(
  browser: ProofBrowser,
  stage: Stage,
  routes: readonly RouteUnderProof[],
): Promise<void> {
  const { platform } = stage;
  // A fault applies to one person, so other checks that run meanwhile are not affected.
  const [person] = stage.addPeople(1);
  if (!person) return;
  const found = await stage.crawl(person);
  const addresses = new Map([...found.addresses].map(([{ id }, [address]]) => [id, address]));
  const pages = routes.filter(({ id }) => addresses.get(id) !== undefined);
  type EndpointsOf = (route: RouteUnderProof) => Iterable<string>;
  const injectTogether = (batch: readonly RouteUnderProof[], endpointsOf: EndpointsOf) =>
    browser.as('outage', stage.platform, async (visitor) => {
      // Repeated before each fault, because a page may end the session.
      const signIn = async () => {
        const problem = await visitor.tab.open(
          stage.platform.sessions.switchPath(person.id, '/favicon.ico'),
        );
        if (problem !== null) throw new Error(`Could not sign in: ${problem}.`);
      };
      await signIn();
      const opened = await Promise.all(
        batch.map((route) => openPage(visitor, route, addresses.get(route.id) ?? '')),
      );
      const open = opened.filter((page) => typeof page !== 'string');
      for (const [index, problem] of opened.entries()) {
        const route = batch[index];
        if (route && typeof problem === 'string')
          stage.report.notObserved('trouble', route, `in a browser, ${route.path} ${problem}`);
      }
      const endpoints = new Set(open.flatMap(({ route }) => [...endpointsOf(route)]));
      for (const { how, fault } of faults) {
        await signIn();
        await injectFault(stage, person, how, fault, open, endpoints);
      }
      for (const { route } of open) stage.report.checked('trouble', route);
      await Promise.all(open.map(({ tab }) => tab.page.close()));
    });
  const injectAll = async (some: readonly RouteUnderProof[], endpointsOf: EndpointsOf) => {
    for (let first = 0; first < some.length; first += tabsAtOnce) {
      const batch = some.slice(first, first + tabsAtOnce);
      try {
        await injectTogether(batch, endpointsOf);
      } catch (error) {
        if (error instanceof BrowserUnusable) throw error;
        // The tabs of a visitor share a process, so one page that hangs holds up the others.
        await platform.faults.clear(undefined, person.id);
        const alone = (route: RouteUnderProof) => injectTogether([route], endpointsOf);
        await checkRoutes(
          stage,
          'trouble',
          await shownOf(browser, stage, batch),
          alone,
          inSequence,
        );
      }
    }
  };
  await injectAll(pages, () => ['user']);
  const used = new Map<RouteUnderProof, Set<string>>();
  const learn = async (route: RouteUnderProof) => {
    used.set(route, await operationsOf(browser, stage, route));
  };
  await checkRoutes(stage, 'trouble', pages, learn, { concurrency: Infinity });
  await injectAll(
    pages.filter((route) => used.get(route)?.size),
    (route) => used.get(route) ?? [],
  );
}

/** The routes that the frame shows without a fault. The others are already reported. */
async function shownOf(
  browser: ProofBrowser,
  stage: Stage,
  routes: readonly RouteUnderProof[],
): Promise<RouteUnderProof[]> {
  const shown: RouteUnderProof[] = [];
  for (const route of routes) {
    const { problem, landed } = (await visitPage(browser, stage, route)).member;
    if (problem === null) shown.push(route);
    else stage.report.notObserved('trouble', route, `the frame did not show ${landed}: ${problem}`);
  }
  return shown;
}

/** The operations that a page uses, in its loader and through the requests that its scripts send. */
async function operationsOf(
  browser: ProofBrowser,
  stage: Stage,
  route: RouteUnderProof,
): Promise<Set<string>> {
  const sdk = sdkRoutesOf(stage.allRoutes);
  const { member } = await visitPage(browser, stage, route);
  const called = member.requests
    .filter(({ method, isNavigation }) => method === 'GET' && !isNavigation)
    .flatMap(({ method, path }) => sdk.sdkRouteOf(method, path) ?? []);
  return new Set([route, ...called].flatMap(({ operations }) => [...operations.loader]));
}

async function injectFault(
  { platform, report }: Stage,
  person: Person,
  how: string,
  fault: FaultInput,
  affected: readonly OpenPage[],
  endpoints: ReadonlySet<string>,
): Promise<void> {
  const where = [...endpoints].join(', ');
  for (const endpoint of endpoints) {
    await platform.faults.set(endpoint, fault, { persona: person.id });
  }
  const arrived = await Promise.all(
    affected.map(async (page) => {
      const { route, address, tab, opensIn } = page;
      const when = `While the platform ${how} at ${where}, ${address}`;
      const problem = await tab.open(address, tab.onThisMachine(opensWithin) + opensIn);
      if (problem !== null) {
        report.find('trouble/no-response', route, `${when} does not load: ${problem}.`);
        return null;
      }
      if (isSignIn(tab.path())) {
        const message = `${when} redirects a signed-in visitor to sign-in.`;
        report.find('trouble/sent-to-sign-in', route, message);
        return null;
      }
      const shown = await callProbe(tab, 'summary').catch(nullIfNavigated);
      const html = await callProbe(tab, 'html').catch(nullIfNavigated);
      if (shown === null || html === null) {
        report.find('trouble/no-response', route, `${when} keeps navigating.`);
        return null;
      }
      if (shown.text === '') {
        report.find('trouble/blank', route, `${when} shows a blank page.`);
        return null;
      }
      if (html.includes(words) || secretsIn(html).size > 0) {
        const message = `${when} shows the platform’s text or a hidden profile field.`;
        report.find('trouble/secret-shown', route, message);
      }
      return page;
    }),
  );
  for (const endpoint of endpoints) await platform.faults.clear(endpoint, person.id);
  await Promise.all(
    arrived.map(async (page) => {
      if (!page) return;
      await page.tab.settle(lastResponses);
      const missing = await recover(page);
      if (missing === null) return;
      const message = `3 s after a fault at ${where} ended (the platform ${how}), ${page.address} still lacks ${missing}, and no button restores it.`;
      report.find('trouble/no-way-back', page.route, message);
    }),
  );
}
