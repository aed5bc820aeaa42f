/** Whether a page is at home in the platform's frame. */
import type { ProofBrowser } from '../visit/proof-browser';
import { droppedCookie, missingInFrame } from '../stage/listen';
import type { RouteUnderProof, Stage } from '../stage/stage';
import { pagesOf, visitPage, type PageView } from '../visit/visit-page';
import type { Check } from './check';

export function frame(browser: ProofBrowser): Check {
  return {
    name: 'frame',
    run: async (stage) => {
      judgeSignIn(stage);
      const pages = new Set(pagesOf(stage));
      const look = async (route: RouteUnderProof) => {
        if (pages.has(route)) {
          const { stranger, member } = await visitPage(browser, stage, route);
          const views = [stranger, member];
          // What it complains of on its way comes of not being shown.
          const notShown = views.filter(({ problem }) => problem !== null);
          for (const view of notShown.length > 0 ? notShown : views) judge(stage, route, view);
        }
        stage.report.looked('frame', route);
      };
      await Promise.all(stage.routes.filter(({ isLayout }) => !isLayout).map(look));
    },
  };
}

/** The cookies of a site account: without them nobody in the frame is signed in to it. */
function judgeSignIn({ report, site }: Stage): void {
  const [account] = site?.accounts.all ?? [];
  for (const { name, attributes } of account?.jar.cookies() ?? []) {
    const written = Object.entries(attributes).map(([key, value]) => `${key}=${value}`);
    const missing = missingInFrame([name, ...written].join(';').replaceAll(/=(?=;|$)/g, ''));
    if (missing.length === 0) continue;
    const message = `Signing in to a site account sets the cookie “${name}” without ${missing.join(', ')}: the frame drops it.`;
    report.find('frame/cookie', null, message);
  }
}

function judgeCookies(
  { report }: Stage,
  route: RouteUnderProof,
  cookies: readonly { path: string; cookie: string }[],
): void {
  for (const { path, cookie } of cookies) {
    const missing = missingInFrame(cookie);
    if (missing.length > 0)
      report.find('frame/cookie', route, droppedCookie(path, cookie, missing));
  }
}

function judge(stage: Stage, route: RouteUnderProof, view: PageView): void {
  const { report } = stage;
  const { landed, problem } = view;
  if (problem !== null) {
    report.find('frame/not-shown', route, `The frame does not show ${landed}: ${problem}.`);
    return;
  }
  judgeCookies(stage, route, view.cookies);
  const [noise] = view.noise.filter((message) => !isAnswer(message) && !isOfFile(message));
  if (noise !== undefined) {
    report.find('frame/noise', route, `In the frame ${landed} is not silent: ${oneLine(noise)}.`);
  }

  const native = [
    ...view.asked.filter(isFileNavigation).map(({ path }) => ({ path, by: 'the page itself' })),
    ...view.operated.flatMap(({ control, asked, downloaded }) =>
      [...asked.filter(isFileNavigation).map(({ path }) => path), ...downloaded]
        .filter((path) => path.startsWith('/api/'))
        .map((path) => ({ path, by: `“${control.name}”` })),
    ),
  ];
  for (const { path, by } of native) {
    const message = `On ${landed}, ${by} sends the browser itself to ${path}, with other cookies than the frame’s.`;
    report.find('frame/native-download', route, message);
  }
  const fetched = [
    ...view.asked.map((request) => ({ request, by: 'the page itself' })),
    ...view.operated.flatMap(({ control, asked }) =>
      asked.map((request) => ({ request, by: `“${control.name}”` })),
    ),
  ].filter(({ request }) => !request.isNavigation && isAuthRoute(request.path));
  for (const { request, by } of fetched) {
    const message = `On ${landed}, ${by} asks for ${request.path} by a script: it is the platform’s page, to be navigated to.`;
    report.find('frame/auth-fetched', route, message);
  }
}

/** The status of an answer, which the check that is about that answer judges. */
function isAnswer(message: string): boolean {
  return /^error: Failed to load resource: the server responded with a status of/.test(message);
}

/** What the browser says of a file that it shows: that it was sent there is a finding of its own. */
function isOfFile(message: string): boolean {
  return /\(https?:\/\/[^/]+\/api\/\S*\)$/.test(message);
}

function isFileNavigation({
  isNavigation,
  method,
  path,
}: {
  isNavigation: boolean;
  method: string;
  path: string;
}): boolean {
  return isNavigation && method === 'GET' && path.startsWith('/api/');
}

/** Pictures of people are the platform's as well, and are loaded like any picture. */
function isAuthRoute(path: string): boolean {
  return path.startsWith('/__auth/') && !path.startsWith('/__auth/avatars/');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
