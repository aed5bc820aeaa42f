/**
 * The browser that the proof looks through: each of its visitors has cookies and storage of their own, and the site in
 * a frame of the platform's origin. It is opened when a check first needs it, and measured to be in the mode that was
 * asked for.
 */
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { findBrowser } from '../../harness/browser/browser';
import {
  measureMode,
  openBrowser,
  type BrowserMode,
  type VisitorsBrowser,
} from '../../harness/browser/browser-modes';
import { listenForNoise, type Calm } from '../../harness/browser/calm';
import type { Platform } from '../../harness/platform';
import { probeSource, rest } from './probe';
import { listenToTraffic, type Traffic } from './traffic';

export const deskViewport = { width: 1_280, height: 800 };

/** Milliseconds for a page to arrive and come to rest. */
const patience = 12_000;

/**
 * Who looks: `plain` runs no scripts, and the platform fails those who suffer or lets them wait. For each the
 * milliseconds of one look, on a busy machine too: at one page, and of those who suffer at all pages in one go.
 */
const longestLooks = {
  stranger: 300_000,
  plain: 300_000,
  member: 300_000,
  sufferer: 1_800_000,
  'waiting sufferer': 1_800_000,
};

export interface ProofBrowser {
  /** Whether a page is looked at for everybody, too: axe, a narrow screen and the keyboard. */
  looksForEverybody: boolean;
  /** Runs `look` with a visitor of this name, after whatever else that visitor is wanted for. */
  as: <T>(
    who: VisitorName,
    platform: Platform<unknown>,
    look: (lane: Lane) => Promise<T>,
  ) => Promise<T>;
  close: () => Promise<void>;
}

export type VisitorName = keyof typeof longestLooks;

/** What one visitor sees. */
export interface Lane {
  context: BrowserContext;
  /** The platform's page with the site's frame. */
  tab: Tab;
  openTab: () => Promise<Tab>;
  /** Opens a new tab in place of one whose frame is gone. */
  replaceTab: () => Promise<void>;
  traffic: Traffic;
  calm: Calm;
  /** Path and query of each document shown so far: Chromium repeats their console messages on later pages. */
  shown: Set<string>;
}

export interface Tab {
  page: Page;
  frame: Frame;
  /**
   * Shows a path of the site in the frame, and waits until it is at rest.
   *
   * @returns what kept it from being shown; null when nothing did.
   */
  open: (path: string) => Promise<string | null>;
  /** Waits until no request is open and nothing moves. */
  settle: (longest?: number) => Promise<void>;
  /** Path and query that the frame shows. */
  path: () => string;
}

/** @throws {Error} when this machine's browser is in another mode than it was told. */
export async function openProofBrowser(
  mode: BrowserMode,
  looksForEverybody = true,
): Promise<ProofBrowser> {
  const { executablePath } = await findBrowser();
  const lanes = new Map<VisitorName, { lane: Promise<Lane>; turn: Promise<unknown> }>();
  let browser: Promise<VisitorsBrowser> | undefined;

  const open = async (who: VisitorName, platform: Platform<unknown>): Promise<Lane> => {
    const opened = await (browser ??= openMeasured(mode, executablePath));
    const runsScripts = who !== 'plain';
    const context = await opened.visitor({
      javaScriptEnabled: runsScripts,
      viewport: deskViewport,
    });
    return openLane(context, platform, runsScripts);
  };

  return {
    looksForEverybody,
    as(who, platform, look) {
      const known = lanes.get(who) ?? { lane: open(who, platform), turn: Promise.resolve() };
      lanes.set(who, known);
      const result = known.turn.then(async () =>
        withinTime(look(await known.lane), longestLooks[who]),
      );
      known.turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await Promise.all([...lanes.values()].map(({ turn }) => turn));
      // One that is in another mode is closed already, and its checks have said so.
      await browser?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

/** Each question has an end of its own, and a browser that is lost has none. */
async function withinTime<T>(looking: Promise<T>, longest: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`A page could not be looked at within ${longest / 60_000} minutes.`));
    }, longest);
  });
  return Promise.race([looking, late]).finally(() => {
    clearTimeout(timer);
  });
}

async function openMeasured(mode: BrowserMode, executablePath: string): Promise<VisitorsBrowser> {
  const browser = await openBrowser(mode, executablePath);
  const measured = await measureMode(await browser.visitor()).catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  if (measured.storage === mode.storage && measured.thirdPartyCookies === mode.thirdPartyCookies) {
    return browser;
  }
  await browser.close();
  const [is, wanted] = [measured, mode].map((one) => JSON.stringify(one));
  throw new Error(`The browser is not in the mode that was asked for: ${is}, and not ${wanted}.`);
}

async function openLane(
  context: BrowserContext,
  platform: Platform<unknown>,
  runsScripts: boolean,
): Promise<Lane> {
  context.setDefaultTimeout(patience);
  const calm = await listenForNoise(context);
  await context.addInitScript({ content: probeSource });
  const traffic = listenToTraffic(context, platform.siteOrigin);
  const outer = `${platform.platformUrl}/proof`;

  const openTab = async (): Promise<Tab> => {
    const opened = await context.newPage();
    // Not the simulator's own page: that one would ask for its panel's state all the time.
    await opened.route(outer, (route) =>
      route.fulfill({ contentType: 'text/html', body: frameHtml }),
    );
    await opened.goto(outer);
    await opened.unroute(outer);
    const element = await opened.locator('iframe').elementHandle();
    const frame = await element.contentFrame();
    if (!frame) throw new Error('The platform’s page has no frame.');
    return tabOf({ page: opened, frame, siteOrigin: platform.siteOrigin, traffic, runsScripts });
  };
  const lane: Lane = {
    context,
    tab: await openTab(),
    openTab,
    async replaceTab() {
      await lane.tab.page.close();
      lane.tab = await openTab();
    },
    traffic,
    calm,
    shown: new Set(),
  };
  return lane;
}

const frameHtml = `<!doctype html><html lang="en"><title>Platform</title>
<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; display: block }</style>
<iframe title="The site"></iframe></html>`;

interface TabParts {
  page: Page;
  frame: Frame;
  siteOrigin: string;
  traffic: Traffic;
  runsScripts: boolean;
}

function tabOf({ page, frame, siteOrigin, traffic, runsScripts }: TabParts): Tab {
  const settle = async (longest = 3_000): Promise<void> => {
    // Where scripts are off nothing moves, and no timer of a page ever fires.
    if (!runsScripts) return;
    const end = Date.now() + longest;
    do {
      // A page that is left meanwhile has to be waited for anew.
      await rest(frame, 60, Math.max(60, end - Date.now())).catch(() =>
        frame.waitForLoadState().catch(() => undefined),
      );
    } while (traffic.openOf(page) > 0 && Date.now() < end);
  };
  return {
    page,
    frame,
    settle,
    async open(path) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          // A page that goes on by itself while it loads has been shown all the same.
          await frame.goto(siteOrigin + path, { waitUntil: 'commit' });
          await frame.waitForLoadState();
          break;
        } catch (error) {
          // The browser may still be on its way from the address before: to its error page, or where it led by itself.
          const isOvertaken = /interrupted by another navigation|ERR_ABORTED/.test(String(error));
          if (isOvertaken && attempt < 4) {
            await frame.waitForLoadState().catch(() => undefined);
            continue;
          }
          // Without a browser nothing can be told of the site.
          if (page.isClosed()) throw error;
          const [reason = ''] = String(error).split('\n');
          return reason.replace(/^.*?frame\.\w+: /, '').slice(0, 200);
        }
      }
      await settle();
      return null;
    },
    path() {
      const { pathname, search } = new URL(frame.url());
      return pathname + search;
    },
  };
}
