/** What a page offers to a visitor without a platform session or a site account (W15 to W18). */
import { sdkRoutesOf, type SdkRoutes } from './sdk-routes.ts';
import type { ProofBrowser } from '../visit/proof-browser.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import type { Control } from '../visit/probe.ts';
import type { PageRequest } from '../visit/traffic.ts';
import {
  isSignIn,
  pagesOf,
  visitPage,
  type PageView,
  type PageVisit,
} from '../visit/visit-page.ts';
import { watchSession, type SdkUse } from '../visit/watch-session.ts';
import { checkRoutes, type Check } from './check.ts';

/** Characters: longer than a label. */
const shortestExplanation = 20;

export function signedOutPage(browser: ProofBrowser): Check {
  return {
    name: 'signed-out-page',
    run: async (stage) => {
      const sdk = sdkRoutesOf(stage.allRoutes);
      const checkPage = async (route: RouteUnderProof) => {
        const visit = await visitPage(browser, stage, route);
        reportView(stage, sdk, route, visit);
        const isMembers = visit.member.problem === null && !isSignIn(visit.member.landed);
        if (browser.testsModeIndependent && isMembers && usesSdk(sdk, route, visit.member))
          await reportSession(browser, stage, sdk, route, visit);
        stage.report.checked('signed-out-page', route);
      };
      const pages = pagesOf(stage);
      await checkRoutes(stage, 'signed-out-page', pages, checkPage, { concurrency: Infinity });
    },
  };
}

async function reportSession(
  browser: ProofBrowser,
  { platform, report, seeded: [person] }: Stage,
  sdk: SdkRoutes,
  route: RouteUnderProof,
  visit: PageVisit,
): Promise<void> {
  const [address] = route.addresses.get(person) ?? [];
  if (address === undefined) return;
  const watched = await browser.as('member', platform, (visitor) =>
    watchSession(visitor, platform, person, address, sdkUseOf(sdk, visit)),
  );
  if (!watched) {
    const why = `the end of the session could not be inspected on ${address}, which did not stay open`;
    report.notObserved('signed-out-page', route, why);
    return;
  }
  const usable = (when: string, { kind, name }: Control) => {
    const message = `${when}, the ${wordFor[kind]} “${name}” on ${address} is enabled and uses the platform’s SDK.`;
    report.find('signed-out-page/usable-control', route, message);
  };
  const { early, left } = watched;
  for (const control of early) usable('Signed in, before `/api/user` has responded', control);
  for (const control of left.controls) usable(sessionEnded, control);
  if (!left.isShown) return;
  const message = `${sessionEnded}, ${address} still shows what belongs to the visitor.`;
  report.find('signed-out-page/still-shown', route, message);
}

const sessionEnded = 'After the session has ended and the visitor has returned to the page';

function reportView(
  { report, auth }: Stage,
  sdk: SdkRoutes,
  route: RouteUnderProof,
  visit: PageVisit,
): void {
  const { stranger, plain, member, address } = visit;
  if (stranger.problem !== null) {
    const why = `the frame did not show ${address}: ${stranger.problem}`;
    report.notObserved('signed-out-page', route, why);
    return;
  }
  if (stranger.landed.startsWith('/__auth/')) {
    checkReturnPath(auth, stranger.landed, [address], (message) => {
      report.find('signed-out-page/return-path', route, `${address} ${message}`);
    });
    return;
  }
  const { landed } = stranger;
  if (route.access === 'account') checkAccountReturnPath(report, route, landed, address);
  const usable = (control: Control, when: string, { access }: RouteUnderProof): void => {
    const { name, kind } = control;
    const what = access === 'account' ? 'needs a site account' : 'uses the platform’s SDK';
    const message = `Signed out, ${when}, the ${wordFor[kind]} “${name}” on ${landed} is enabled and ${what}.`;
    report.find('signed-out-page/usable-control', route, message);
  };

  for (const control of plain ?? []) {
    const leads = control.isEnabled && leadsToSdk(control, sdk);
    if (!leads) continue;
    if (!control.isInNoscript) usable(control, 'before scripts have run', leads);
    else if (control.isVisible) usable(control, 'without JavaScript', leads);
  }
  for (const control of stranger.controls) {
    const leads = control.isEnabled && control.isVisible && leadsToSdk(control, sdk);
    if (leads) usable(control, 'once the page has loaded', leads);
  }
  for (const request of stranger.requests) {
    const used = loadsPage(request, sdk) ? null : sdk.guardedRouteOf(request.method, request.path);
    if (!used) continue;
    const why = used.access === 'account' ? 'needs a site account' : 'uses the platform’s SDK';
    const message = `Signed out, ${landed} requests ${request.method} ${request.path}, which ${why}.`;
    report.find('signed-out-page/requested', route, message);
  }
  for (const { control, requests, landed: gone } of stranger.operated) {
    const isNew = requests.filter(({ method, path }) => !wasSent(stranger.requests, method, path));
    const [leads] = isNew
      .filter((request) => !(loadsPage(request, sdk) && (request.isNavigation || gone !== null)))
      .flatMap(({ method, path }) => sdk.guardedRouteOf(method, path) ?? []);
    if (leads) usable(control, 'once the page has loaded', leads);
  }
  checkSignIn({ report, auth }, sdk, route, stranger, member);
}

const wordFor: Record<Control['kind'], string> = {
  link: 'link',
  button: 'button',
  submit: 'button',
  text: 'field',
  select: 'choice',
  choice: 'choice',
  file: 'upload',
  item: 'choice',
};

/** A link to a page does not count: that page is checked itself. */
function leadsToSdk({ kind, target }: Control, sdk: SdkRoutes): RouteUnderProof | null {
  const route = target && sdk.guardedRouteOf(target.method, target.path);
  return kind === 'link' && route?.kind === 'page' ? null : route;
}

/** Native downloads are a finding of their own, and what the page asks for by itself is no control's. */
function sdkUseOf(sdk: SdkRoutes, { member, stranger }: PageVisit): SdkUse {
  const own = [...member.requests, ...stranger.requests];
  const requestsSdk = (request: PageRequest) =>
    !request.isNavigation &&
    !loadsPage(request, sdk) &&
    callsSdk(request, sdk) &&
    !wasSent(own, request.method, request.path);
  return {
    leads: (control) =>
      control.target !== null &&
      !(control.target.method === 'GET' && control.target.path.startsWith('/api/')) &&
      leadsToSdk(control, sdk) !== null &&
      sdk.sdkRouteOf(control.target.method, control.target.path) !== null,
    requestsSdk,
    hasRequestedSdk: ({ kind, name }) =>
      member.operated.some(
        ({ control, requests }) =>
          control.kind === kind && control.name === name && requests.some(requestsSdk),
      ),
  };
}

function callsSdk({ method, path }: PageRequest, sdk: SdkRoutes): boolean {
  return sdk.sdkRouteOf(method, path) !== null;
}

/** Whether the page, or a request that it sends by itself, uses the SDK. */
function usesSdk(sdk: SdkRoutes, { operations }: RouteUnderProof, { requests }: PageView): boolean {
  return (
    operations.loader.size > 0 ||
    operations.action.size > 0 ||
    requests.some((request) => !loadsPage(request, sdk) && callsSdk(request, sdk))
  );
}

/** Whether a request loads a page, as a document or as its data. */
function loadsPage({ method, path }: PageRequest, sdk: SdkRoutes): boolean {
  return method === 'GET' && sdk.guardedRouteOf(method, path)?.kind === 'page';
}

function wasSent(requests: readonly PageRequest[], method: string, path: string): boolean {
  return requests.some((request) => request.method === method && request.path === path);
}

/** A page that uses the SDK signed in must explain signed out what sign-in is for, and lead there and back. */
function checkSignIn(
  { report, auth }: Pick<Stage, 'report' | 'auth'>,
  sdk: SdkRoutes,
  route: RouteUnderProof,
  { landed, controls, operated, documents }: PageView,
  member: PageView,
): void {
  const signIns = [
    ...controls.filter(({ target }) => target?.method === 'GET' && isSignIn(target.path)),
    ...operated.filter((item) => item.landed !== null && isSignIn(item.landed)),
  ].map((item) => ('control' in item ? item : { control: item, landed: item.target?.path ?? '' }));
  for (const { control, landed: login } of signIns) {
    checkReturnPath(auth, login ?? '', [landed, ...documents], (message) => {
      report.find(
        'signed-out-page/return-path',
        route,
        `“${control.name}” on ${landed} ${message}`,
      );
    });
  }

  if (!usesSdk(sdk, route, member)) return;
  const hasMain = controls.some(({ isInMain }) => isInMain);
  const hasPanel = signIns.some(
    ({ control: { isInMain, isVisible, isEnabled, panel } }) =>
      (isInMain || !hasMain) &&
      isVisible &&
      isEnabled &&
      panel.hasTitle &&
      panel.explanation >= shortestExplanation,
  );
  if (hasPanel) return;
  const message = `Signed out, the content of ${landed} lacks a sign-in panel with a heading, an explanation and a button, although the page uses the platform’s SDK.`;
  report.find('signed-out-page/no-panel', route, message);
}

/** The site chooses the URL of its own sign-in, and the name of the parameter with the return path. */
function checkAccountReturnPath(
  report: Stage['report'],
  route: RouteUnderProof,
  landed: string,
  address: string,
): void {
  const { pathname, searchParams } = new URL(landed, 'http://site.invalid');
  // A page may show that it needs an account instead of redirecting.
  if (pathname === new URL(address, 'http://site.invalid').pathname) return;
  if ([...searchParams.values()].includes(address)) return;
  const message = `Signed out, ${address} leads to ${landed} without the return path ${address}.`;
  report.find('signed-out-page/return-path', route, message);
}

/** @param wanted the return paths that are accepted; the first is the page itself. */
function checkReturnPath(
  auth: Stage['auth'],
  login: string,
  wanted: readonly string[],
  fail: (message: string) => void,
): void {
  if (auth === 'in-app') {
    fail(`leads to ${login}, where nobody signs in to an account of this site.`);
    return;
  }
  if (!isSignIn(login)) {
    fail(`leads a signed-out visitor to ${login} instead of /__auth/login.`);
    return;
  }
  const back = new URL(login, 'http://site.invalid').searchParams.get('return');
  if (back !== null && wanted.includes(back)) return;
  const wrong = back === null ? 'without a return path' : `with the return path ${back}`;
  fail(`leads to sign-in ${wrong} instead of ${wanted[0]}.`);
}
