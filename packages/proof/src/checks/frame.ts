/** Whether a page works in the platform's frame: shown, without console errors, with cookies that the frame keeps. */
import { disagreementIn } from './file-agreement.ts';
import type { ProofBrowser } from '../visit/proof-browser.ts';
import { droppedCookie, missingInFrame } from '../stage/listen.ts';
import type { RouteUnderProof, Stage } from '../stage/stage.ts';
import { pagesOf, visitPage, type PageView } from '../visit/visit-page.ts';
import { checkRoutes, type Check } from './check.ts';

export function frame(browser: ProofBrowser): Check {
  return {
    name: 'frame',
    run: async (stage) => {
      checkAccountCookies(stage);
      const pages = new Set(pagesOf(stage));
      const checkPage = async (route: RouteUnderProof) => {
        if (pages.has(route)) {
          const { stranger, member } = await visitPage(browser, stage, route);
          await checkSaved(stage, route, member);
          const views = [stranger, member];
          // Console errors of a page that is not shown are consequences of that, so they are not reported.
          const notShown = views.find(({ problem }) => problem !== null);
          for (const view of notShown ? [notShown] : views) reportView(stage, route, view);
        }
        if (route.kind === 'resource') await checkFiles(stage, route);
        stage.report.checked('frame', route);
      };
      const routes = stage.routes.filter(({ isLayout }) => !isLayout);
      await checkRoutes(stage, 'frame', routes, checkPage, { concurrency: Infinity });
    },
  };
}

/** The files that a page's buttons save, with what the site says about the file behind each. */
async function checkSaved(stage: Stage, route: RouteUnderProof, view: PageView): Promise<void> {
  for (const { control, requests, saved } of view.operated) {
    const fetched = requests.filter(({ method, isNavigation, path }) => {
      return method === 'GET' && !isNavigation && path.startsWith('/api/');
    });
    for (const { name, type, start } of saved) {
      // Where there are several, none of them may be the file.
      const [source] = fetched.length === 1 ? fetched : [];
      const response = source && (await stage.send(stage.seeded[0], { path: source.path }));
      const why = await disagreementIn({
        bytes: Buffer.from(start, 'base64'),
        type,
        names: { 'the file name': name },
        disposition: response?.headers['content-disposition'],
      });
      if (why === null) continue;
      const message = `On ${view.landed}, “${control.name}” saves “${name}”${source ? ` from ${source.path}` : ''}: ${why}.`;
      stage.report.find('frame/file-disagrees', route, message);
    }
  }
}

/** The files that a resource route returns, whether or not a button leads to them. */
async function checkFiles(stage: Stage, route: RouteUnderProof): Promise<void> {
  const [person] = stage.seeded;
  for (const path of route.addresses.get(person) ?? []) {
    const { status, headers, bytes } = await stage.send(person, { path });
    if (status !== 200) continue;
    const why = await disagreementIn({
      bytes,
      type: headers['content-type'] ?? '',
      names: { 'the name in the address': new URL(path, 'http://site.invalid').pathname },
      disposition: headers['content-disposition'],
      encoding: headers['content-encoding'],
    });
    if (why !== null) stage.report.find('frame/file-disagrees', route, `GET ${path}: ${why}.`);
  }
}

/** Cookies that sign-in to a site account sets: if the frame drops one, the visitor is not signed in there. */
function checkAccountCookies({ report, site }: Stage): void {
  const [account] = site?.accounts.all ?? [];
  for (const { name, attributes } of account?.jar.cookies() ?? []) {
    const written = Object.entries(attributes).map(([key, value]) => `${key}=${value}`);
    const missing = missingInFrame([name, ...written].join(';').replaceAll(/=(?=;|$)/g, ''));
    if (missing.length === 0) continue;
    const message = `Sign-in to a site account sets the cookie “${name}” without ${missing.join(', ')}, so the frame drops it.`;
    report.find('frame/cookie', null, message);
  }
}

function checkCookies(
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

function reportView(stage: Stage, route: RouteUnderProof, view: PageView): void {
  const { report } = stage;
  const { landed, problem } = view;
  if (problem !== null) {
    report.find('frame/not-shown', route, `The frame does not show ${landed}: ${problem}.`);
    return;
  }
  checkCookies(stage, route, view.cookies);
  const [noise] = view.noise.filter((message) => !isErrorStatus(message) && !isOfFile(message));
  if (noise !== undefined) {
    const message = `In the frame, ${landed} causes a browser error or warning: ${oneLine(noise)}.`;
    report.find('frame/noise', route, message);
  }

  const native = [
    ...view.requests.filter(isFileNavigation).map(({ path }) => ({ path, by: 'the page itself' })),
    ...view.operated.flatMap(({ control, requests, downloaded }) =>
      [...requests.filter(isFileNavigation).map(({ path }) => path), ...downloaded]
        .filter((path) => path.startsWith('/api/'))
        .map((path) => ({ path, by: `“${control.name}”` })),
    ),
  ];
  for (const { path, by } of native) {
    const message = `On ${landed}, ${by} makes the browser load ${path} natively, with different cookies than the frame’s own requests.`;
    report.find('frame/native-download', route, message);
  }
  const fetched = [
    ...view.requests.map((request) => ({ request, by: 'the page itself' })),
    ...view.operated.flatMap(({ control, requests }) =>
      requests.map((request) => ({ request, by: `“${control.name}”` })),
    ),
  ].filter(({ request }) => !request.isNavigation && isAuthRoute(request.path));
  for (const { request, by } of fetched) {
    const message = `On ${landed}, ${by} requests ${request.path} from a script; this page of the platform only works as a navigation.`;
    report.find('frame/auth-fetched', route, message);
  }
}

/** Chromium logs every error status. The check that is about that response reports it. */
function isErrorStatus(message: string): boolean {
  return /^error: Failed to load resource: the server responded with a status of/.test(message);
}

/** A message about a file that the browser displays. The navigation to it is reported separately. */
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

/** Avatars are served below `/__auth/` too, and a page may load them. */
function isAuthRoute(path: string): boolean {
  return path.startsWith('/__auth/') && !path.startsWith('/__auth/avatars/');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 300);
}
