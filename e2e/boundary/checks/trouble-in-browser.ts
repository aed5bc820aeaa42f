/**
 * What a visitor sees when the platform fails in each of the ways that differ to a browser: a page that says
 * something, nothing of what the platform said, and a way back. By HTTP `trouble.ts` looks at all the others.
 */
import type { FaultInput } from '../../harness/internal-api/faults';
import { sdkRoutesOf } from './sdk-routes';
import type { Lane, ProofBrowser, Tab, VisitorName } from '../visit/proof-browser';
import { secretsIn, type Person } from '../people/people';
import type { RouteUnderProof, Stage } from '../stage/stage';
import { ask, isOfLeftPage, type Control, type PageSummary } from '../visit/probe';
import { isSignIn, pagesOf, visitPage } from '../visit/visit-page';
import type { Check } from './check';

const words = 'words-of-the-upstream';

interface Trouble {
  how: string;
  fault: FaultInput;
}

const troubles: readonly Trouble[] = [
  { how: 'hangs up', fault: { kind: 'unreachable' } },
  { how: 'does not answer', fault: { kind: 'delay', ms: 30_000 } },
  { how: 'is down', fault: { kind: 'status', status: 503, body: `{"error":"${words}"}` } },
  { how: 'sends garbage', fault: { kind: 'bad_json', body: `{"id":"${words}","name":` } },
];

/**
 * Milliseconds in which all works again, by itself or once a button is used. What the page takes to open while
 * all is well comes on top, so that a busy machine is not held against the site.
 */
const recoverWithin = 3_000;

/** Milliseconds for what the page still waits for when the trouble is over: the site gives up on it in its own time. */
const lastAnswers = 8_000;

/** Of a page that is on its way. */
const nothingYet: PageSummary = { text: '', marks: [], buttons: [] };

/** A browser opens six connections to a site; while the platform hangs, each page needs one. */
const tabsAtOnce = 5;

export function troubleInBrowser(browser: ProofBrowser): Check {
  return { name: 'trouble', run: (stage) => run(browser, stage) };
}

async function run(browser: ProofBrowser, stage: Stage): Promise<void> {
  const pages = pagesOf(stage);
  // Side by side, each as a person of its own: a hanging platform takes time and no work.
  await Promise.all([
    suffer(browser, stage, 'sufferer', pages, (trouble) => !isHanging(trouble)),
    suffer(browser, stage, 'waiting sufferer', pages, isHanging),
  ]);
}

function isHanging({ fault }: Trouble): boolean {
  return fault.kind === 'delay';
}

/** First the guard fails, then the operations that the pages use: which those are, their visits tell meanwhile. */
async function suffer(
  browser: ProofBrowser,
  stage: Stage,
  who: VisitorName,
  routes: readonly RouteUnderProof[],
  strikes: (trouble: Trouble) => boolean,
): Promise<void> {
  // Faults are a person's: whoever else is looked at meanwhile has none.
  const [person] = stage.addPeople(1);
  if (!person || routes.length === 0) return;
  const found = await stage.crawl(person);
  const addresses = new Map([...found.addresses].map(([{ id }, [address]]) => [id, address]));
  const pages = routes.filter(({ id }) => addresses.get(id) !== undefined);
  await browser.as(who, stage.platform, async (lane) => {
    // Again and again: a page may have ended the session.
    const signIn = async () => {
      const problem = await lane.tab.open(stage.platform.sessions.switchPath(person.id, '/'));
      if (problem !== null) throw new Error(`Nobody could be signed in: ${problem}.`);
    };
    const strikeAll = async (
      some: readonly RouteUnderProof[],
      endpointsOf: (route: RouteUnderProof) => Iterable<string>,
    ) => {
      for (let first = 0; first < some.length; first += tabsAtOnce) {
        await signIn();
        const batch = some.slice(first, first + tabsAtOnce);
        const opened = await Promise.all(
          batch.map((route) => openPage(lane, route, addresses.get(route.id) ?? '')),
        );
        const open = opened.filter((page) => typeof page !== 'string');
        for (const [index, problem] of opened.entries()) {
          const route = batch[index];
          if (route && typeof problem === 'string')
            stage.report.notObserved('trouble', route, `in a browser ${route.path} ${problem}`);
        }
        const endpoints = new Set(open.flatMap(({ route }) => [...endpointsOf(route)]));
        for (const { how, fault } of troubles.filter(strikes)) {
          await signIn();
          await strike(stage, person, how, fault, open, endpoints);
        }
        for (const { route } of open) stage.report.looked('trouble', route);
        await Promise.all(open.map(({ tab }) => tab.page.close()));
      }
    };
    await strikeAll(pages, () => ['user']);
    const used = new Map(
      await Promise.all(
        pages.map(async (route) => [route, await operationsOf(browser, stage, route)] as const),
      ),
    );
    await strikeAll(
      pages.filter((route) => used.get(route)?.size),
      (route) => used.get(route) ?? [],
    );
  });
}

interface OpenPage {
  route: RouteUnderProof;
  address: string;
  tab: Tab;
  /** As it is while all is well. */
  healthy: PageSummary;
  /** Milliseconds that it took to open then. */
  opensIn: number;
}

async function openPage(
  lane: Lane,
  route: RouteUnderProof,
  address: string,
): Promise<OpenPage | string> {
  const tab = await lane.openTab();
  const began = performance.now();
  const problem = await tab.open(address);
  const opensIn = performance.now() - began;
  // On a busy machine the page may not have heard yet who the visitor is.
  await tab.settle(lastAnswers);
  const isAtSignIn = tab.path().startsWith('/__auth/');
  if (problem === null && !isAtSignIn) {
    const healthy = await ask(tab.frame, 'summary').catch(nullIfLeft);
    if (healthy) return { route, address, tab, opensIn, healthy };
    await tab.page.close();
    return 'never comes to rest';
  }
  await tab.page.close();
  return isAtSignIn ? 'leads to sign-in' : `does not open: ${problem ?? ''}`;
}

/** What a page uses: by its loader, and by what the browser asks of the site on it. */
async function operationsOf(
  browser: ProofBrowser,
  stage: Stage,
  route: RouteUnderProof,
): Promise<Set<string>> {
  const sdk = sdkRoutesOf(stage.allRoutes);
  const { member } = await visitPage(browser, stage, route);
  const asked = member.asked
    .filter(({ method, isNavigation }) => method === 'GET' && !isNavigation)
    .flatMap(({ method, path }) => sdk.askedBy(method, path) ?? []);
  return new Set([route, ...asked].flatMap(({ operations }) => [...operations.loader]));
}

/** A page that loads itself again and again answers no question. */
function nullIfLeft(error: unknown): null {
  if (!isOfLeftPage(error)) throw error;
  return null;
}

async function strike(
  { platform, report }: Stage,
  person: Person,
  how: string,
  fault: FaultInput,
  struck: readonly OpenPage[],
  endpoints: ReadonlySet<string>,
): Promise<void> {
  const where = [...endpoints].join(', ');
  for (const endpoint of endpoints) {
    await platform.faults.set(endpoint, fault, { persona: person.id });
  }
  const arrived = await Promise.all(
    struck.map(async (page) => {
      const { route, address, tab } = page;
      const when = `When the platform ${how} at ${where}, ${address}`;
      const problem = await tab.open(address);
      if (problem !== null) {
        report.find('trouble/no-answer', route, `${when} does not arrive: ${problem}.`);
        return null;
      }
      if (isSignIn(tab.path())) {
        const message = `${when} sends a visitor who is signed in to sign in.`;
        report.find('trouble/sent-to-sign-in', route, message);
        return null;
      }
      const shown = await ask(tab.frame, 'summary').catch(nullIfLeft);
      const html = await ask(tab.frame, 'html').catch(nullIfLeft);
      if (shown === null || html === null) {
        report.find('trouble/no-answer', route, `${when} never comes to rest.`);
        return null;
      }
      if (shown.text === '') {
        report.find('trouble/blank', route, `${when} shows nothing.`);
        return null;
      }
      if (html.includes(words) || secretsIn(html).size > 0) {
        report.find('trouble/secret-shown', route, `${when} shows what the platform said.`);
      }
      return page;
    }),
  );
  for (const endpoint of endpoints) await platform.faults.clear(endpoint, person.id);
  await Promise.all(
    arrived.map(async (page) => {
      if (!page) return;
      await page.tab.settle(lastAnswers);
      const missing = await recover(page);
      if (missing === null) return;
      const message = `3 s after the platform, which ${how} at ${where}, is well again, ${page.address} still lacks ${missing}, and no button brings it back.`;
      report.find('trouble/no-way-back', page.route, message);
    }),
  );
}

/** @returns what the page lacks when it has had its time; null when it is as ever. */
async function recover({ tab, address, healthy, opensIn }: OpenPage): Promise<string | null> {
  /** Asks again until nothing is missing, or the time is over. */
  const until = async (missing: () => Promise<string | null>) => {
    for (const end = Date.now() + recoverWithin + opensIn; ;) {
      const found = await missing();
      if (found === null || Date.now() >= end) return found;
      await tab.page.waitForTimeout(100);
    }
  };
  const look = async () => {
    const now = await ask(tab.frame, 'summary').catch(() => nothingYet);
    return {
      missing: healthy.marks.find((mark) => !now.marks.includes(mark)) ?? null,
      button: now.buttons.find(
        ({ kind, name, target }) =>
          // What is there at all times is no answer to the trouble; a link elsewhere and signing out are no way back.
          !healthy.marks.includes(`${kind} ${name}`) &&
          (kind !== 'link' || target?.path === address) &&
          !target?.path.startsWith('/__auth/'),
      ),
    };
  };

  // A page that is still loading shows its button only after that.
  let button: Control | undefined;
  let lost = await until(async () => {
    const now = await look();
    button = now.missing === null ? undefined : now.button;
    return button ? null : now.missing;
  });
  if (button) {
    await ask(tab.frame, 'operate', button.id).catch(() => undefined);
    lost = await until(async () => (await look()).missing);
  }
  if (lost === null) return null;
  // The page may have changed meanwhile with all being well: what is lost is what a new one has, and keeps.
  const left = (await ask(tab.frame, 'summary').catch(nullIfLeft)) ?? nothingYet;
  await tab.open(address);
  // Another page has ended the session, which is why marks are missing.
  if (isSignIn(tab.path())) return null;
  const missing = await until(async () => {
    const anew = (await ask(tab.frame, 'summary').catch(nullIfLeft)) ?? nothingYet;
    return anew.marks.find((mark) => !left.marks.includes(mark)) ?? null;
  });
  return (
    missing && `${missing}, with “${left.text.replaceAll(/\s+/g, ' ').slice(0, 80)}” in its place`
  );
}
