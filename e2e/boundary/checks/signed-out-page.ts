/** What a page offers to a visitor who is not signed in (W15 to W18). */
import { sdkRoutesOf, type SdkRoutes } from '../inventory/sdk-routes';
import type { ProofBrowser } from '../stage/proof-browser';
import type { RouteUnderProof, Stage } from '../stage/stage';
import type { Control } from '../visit/probe';
import type { AskedRequest } from '../visit/traffic';
import { isSignIn, pagesOf, visitPage, type PageView, type PageVisit } from '../visit/visit-page';
import type { Check } from './check';

/** Characters: a sentence, and not the label of something. */
const shortestExplanation = 20;

export function signedOutPage(browser: ProofBrowser): Check {
  return {
    name: 'signed-out-page',
    run: async (stage) => {
      const sdk = sdkRoutesOf(stage.routes);
      const look = async (route: RouteUnderProof) => {
        judge(stage, sdk, route, await visitPage(browser, stage, route));
        stage.report.looked('signed-out-page', route);
      };
      await Promise.all(pagesOf(stage).map(look));
    },
  };
}

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
  const usable = (control: Control, when: string): void => {
    const { name, kind } = control;
    const message = `Signed out, ${when}, the ${wordFor[kind]} “${name}” of ${landed} can be used, and leads to the platform’s SDK.`;
    report.find('signed-out-page/usable-control', route, message);
  };

  for (const control of plain ?? []) {
    if (!control.isEnabled || !leadsToSdk(control, sdk)) continue;
    if (!control.isInNoscript) usable(control, 'before a script has run');
    else if (control.isVisible) usable(control, 'without JavaScript');
  }
  for (const control of stranger.controls) {
    if (control.isEnabled && control.isVisible && leadsToSdk(control, sdk)) {
      usable(control, 'once the page is at rest');
    }
  }
  for (const request of stranger.asked) {
    const asked = isPageAsked(request, sdk) ? null : sdk.askedBy(request.method, request.path);
    if (!asked) continue;
    const message = `Signed out, ${landed} asks for ${request.method} ${request.path}, which uses the platform’s SDK.`;
    report.find('signed-out-page/asked', route, message);
  }
  for (const { control, asked, landed: gone } of stranger.operated) {
    const isNew = asked.filter(({ method, path }) => !wasAsked(stranger.asked, method, path));
    const leads = isNew.some(
      (request) =>
        sdk.askedBy(request.method, request.path) !== null &&
        !(isPageAsked(request, sdk) && (request.isNavigation || gone !== null)),
    );
    if (leads) usable(control, 'once the page is at rest');
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
function leadsToSdk({ kind, target }: Control, sdk: SdkRoutes): boolean {
  const route = target && sdk.askedBy(target.method, target.path);
  return route !== null && !(kind === 'link' && route.kind === 'page');
}

/** A page itself, as a document or as its data. */
function isPageAsked({ method, path }: AskedRequest, sdk: SdkRoutes): boolean {
  return method === 'GET' && sdk.askedBy(method, path)?.kind === 'page';
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

  const { loader, action } = route.operations;
  const usesSdk =
    loader.size > 0 ||
    action.size > 0 ||
    member.asked.some(
      (request) => !isPageAsked(request, sdk) && sdk.askedBy(request.method, request.path) !== null,
    );
  if (!usesSdk) return;
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
