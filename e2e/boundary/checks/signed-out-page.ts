/** What a page offers to a visitor who is not signed in (W15 to W18), at the platform or to a site account. */
import { sdkRoutesOf, type SdkRoutes } from './sdk-routes';
import type { ProofBrowser } from '../visit/proof-browser';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Control } from '../visit/probe';
import type { AskedRequest } from '../visit/traffic';
import { isSignIn, pagesOf, visitPage, type PageView, type PageVisit } from '../visit/visit-page';
import { watchSession, type SdkUse } from '../visit/watch-session';
import type { Check } from './check';

/** Characters: a sentence, and not the label of something. */
const shortestExplanation = 20;

export function signedOutPage(browser: ProofBrowser): Check {
  return {
    name: 'signed-out-page',
    run: async (stage) => {
      const sdk = sdkRoutesOf(stage.allRoutes);
      const look = async (route: RouteUnderProof) => {
        const visit = await visitPage(browser, stage, route);
        judge(stage, sdk, route, visit);
        const isMembers = visit.member.problem === null && !isSignIn(visit.member.landed);
        if (browser.looksForEverybody && isMembers && usesSdk(sdk, route, visit.member))
          await judgeSession(stage, route, visit);
        stage.report.looked('signed-out-page', route);
      };
      const judgeSession = async (
        { platform, report, seeded: [person] }: Stage,
        route: RouteUnderProof,
        visit: PageVisit,
      ) => {
        const [address] = route.addresses.get(person) ?? [];
        if (address === undefined) return;
        const watched = await browser.as('member', platform, (lane) =>
          watchSession(lane, platform, person, address, sdkUseOf(sdk, visit)),
        );
        if (!watched) return;
        const { early, left } = watched;
        const usable = (when: string, { kind, name }: Control) => {
          const message = `${when}, the ${wordFor[kind]} “${name}” of ${address} can be used, and leads to the platform’s SDK.`;
          report.find('signed-out-page/usable-control', route, message);
        };
        for (const control of early) usable('Signed in, before `/api/user` has answered', control);
        for (const control of left.controls) usable(sessionEnded, control);
        if (!left.isShown) return;
        const message = `${sessionEnded}, ${address} still shows what belongs to the visitor.`;
        report.find('signed-out-page/still-shown', route, message);
      };
      await Promise.all(pagesOf(stage).map(look));
    },
  };
}

const sessionEnded = 'Once the session has ended, and the visitor has come back to the page';

function judge({ report }: Stage, sdk: SdkRoutes, route: RouteUnderProof, visit: PageVisit): void {
  const { stranger, plain, member, address } = visit;
  if (stranger.problem !== null) {
    report.notObserved('signed-out-page', route, `${address} was not shown: ${stranger.problem}`);
    return;
  }
  if (stranger.landed.startsWith('/__auth/')) {
    judgeWayBack(stranger.landed, [address], (message) => {
      report.find('signed-out-page/return-path', route, `${address} ${message}`);
    });
    return;
  }
  const { landed } = stranger;
  if (route.access === 'account') judgeWayBackOfAccount(report, route, landed, address);
  const usable = (control: Control, when: string, { access }: RouteUnderProof): void => {
    const { name, kind } = control;
    const what = access === 'account' ? 'what needs a site account' : 'the platform’s SDK';
    const message = `Signed out, ${when}, the ${wordFor[kind]} “${name}” of ${landed} can be used, and leads to ${what}.`;
    report.find('signed-out-page/usable-control', route, message);
  };

  for (const control of plain ?? []) {
    const leads = control.isEnabled && leadsToSdk(control, sdk);
    if (!leads) continue;
    if (!control.isInNoscript) usable(control, 'before a script has run', leads);
    else if (control.isVisible) usable(control, 'without JavaScript', leads);
  }
  for (const control of stranger.controls) {
    const leads = control.isEnabled && control.isVisible && leadsToSdk(control, sdk);
    if (leads) usable(control, 'once the page is at rest', leads);
  }
  for (const request of stranger.asked) {
    const asked = isPageAsked(request, sdk) ? null : sdk.guardedBy(request.method, request.path);
    if (!asked) continue;
    const why = asked.access === 'account' ? 'needs a site account' : 'uses the platform’s SDK';
    const message = `Signed out, ${landed} asks for ${request.method} ${request.path}, which ${why}.`;
    report.find('signed-out-page/asked', route, message);
  }
  for (const { control, asked, landed: gone } of stranger.operated) {
    const isNew = asked.filter(({ method, path }) => !wasAsked(stranger.asked, method, path));
    const [leads] = isNew
      .filter((request) => !(isPageAsked(request, sdk) && (request.isNavigation || gone !== null)))
      .flatMap(({ method, path }) => sdk.guardedBy(method, path) ?? []);
    if (leads) usable(control, 'once the page is at rest', leads);
  }
  judgeSignIn(report, sdk, route, stranger, member);
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

/** A link to a page is a way to that page, which has a panel of its own. */
function leadsToSdk({ kind, target }: Control, sdk: SdkRoutes): RouteUnderProof | null {
  const route = target && sdk.guardedBy(target.method, target.path);
  return kind === 'link' && route?.kind === 'page' ? null : route;
}

/** Native downloads are a finding of their own, and what the page asks for by itself is no control's. */
function sdkUseOf(sdk: SdkRoutes, { member, stranger }: PageVisit): SdkUse {
  const own = [...member.asked, ...stranger.asked];
  return {
    leads: (control) =>
      control.target !== null &&
      !(control.target.method === 'GET' && control.target.path.startsWith('/api/')) &&
      leadsToSdk(control, sdk) !== null &&
      sdk.askedBy(control.target.method, control.target.path) !== null,
    asks: (request) =>
      !request.isNavigation &&
      !isPageAsked(request, sdk) &&
      isSdkAsked(request, sdk) &&
      !wasAsked(own, request.method, request.path),
  };
}

function isSdkAsked({ method, path }: AskedRequest, sdk: SdkRoutes): boolean {
  return sdk.askedBy(method, path) !== null;
}

/** Whether the page, or what it asks for by itself, uses the SDK. */
function usesSdk(sdk: SdkRoutes, { operations }: RouteUnderProof, { asked }: PageView): boolean {
  return (
    operations.loader.size > 0 ||
    operations.action.size > 0 ||
    asked.some((request) => !isPageAsked(request, sdk) && isSdkAsked(request, sdk))
  );
}

/** A page itself, as a document or as its data. */
function isPageAsked({ method, path }: AskedRequest, sdk: SdkRoutes): boolean {
  return method === 'GET' && sdk.guardedBy(method, path)?.kind === 'page';
}

function wasAsked(requests: readonly AskedRequest[], method: string, path: string): boolean {
  return requests.some((one) => one.method === method && one.path === path);
}

/** A page whose signed-in twin used the SDK says what signing in is for, and leads there and back. */
function judgeSignIn(
  report: Stage['report'],
  sdk: SdkRoutes,
  route: RouteUnderProof,
  { landed, controls, operated, documents }: PageView,
  member: PageView,
): void {
  const signIns = [
    ...controls.filter(({ target }) => target?.method === 'GET' && isSignIn(target.path)),
    ...operated.filter((one) => one.landed !== null && isSignIn(one.landed)),
  ].map((one) => ('control' in one ? one : { control: one, landed: one.target?.path ?? '' }));
  for (const { control, landed: login } of signIns) {
    judgeWayBack(login ?? '', [landed, ...documents], (message) => {
      report.find(
        'signed-out-page/return-path',
        route,
        `“${control.name}” of ${landed} ${message}`,
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
  const message = `Signed out, the content of ${landed} has no title, explanation and button that lead to sign-in, though the page uses the platform’s SDK.`;
  report.find('signed-out-page/no-panel', route, message);
}

/** The site's own sign-in has an address, and a name for the way back, of the site's choice. */
function judgeWayBackOfAccount(
  report: Stage['report'],
  route: RouteUnderProof,
  landed: string,
  address: string,
): void {
  const { pathname, searchParams } = new URL(landed, 'http://site.invalid');
  // A page may say by itself that it wants an account.
  if (pathname === new URL(address, 'http://site.invalid').pathname) return;
  if ([...searchParams.values()].includes(address)) return;
  const message = `${address} leads a visitor who is signed out to ${landed}, without a way back to ${address}.`;
  report.find('signed-out-page/return-path', route, message);
}

/** @param wanted where the way back may lead: the first is the page itself. */
function judgeWayBack(
  login: string,
  wanted: readonly string[],
  tell: (message: string) => void,
): void {
  if (!isSignIn(login)) {
    tell(`leads a visitor who is signed out to ${login}, and not to /__auth/login.`);
    return;
  }
  const back = new URL(login, 'http://site.invalid').searchParams.get('return');
  if (back !== null && wanted.includes(back)) return;
  const wrong = back === null ? 'without a way back' : `and back to ${back}`;
  tell(`leads to sign-in ${wrong}: the way back from there is ${wanted[0]}.`);
}
