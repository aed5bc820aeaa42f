/**
 * The proof's browser. Each visitor has separate cookies and storage, and sees the site in a frame of the platform's
 * origin. Launches when a check first needs it, and verifies that the browser is in the requested mode.
 */
import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import type { BrowserContext, Page } from '@playwright/test';
import {
  findBrowser,
  openMeasured,
  recordBrowserLog,
  type BrowserLog,
  type BrowserMode,
  type MeasuredBrowser,
} from '@gatehouse/simulator/browser';
import type { OnThisMachine, Platform } from '@gatehouse/simulator/platform';
import { reasonOf } from '../stage/stage.ts';
import { isLate, probeSource, rest, withTimeout, type ProbedFrame } from './probe.ts';
import { listenToTraffic, type Traffic } from './traffic.ts';

export const deskViewport = { width: 1_280, height: 800 };

/** Milliseconds for one action in a page. These limits are for an ordinary machine. */
const patience = 20_000;

/** Milliseconds that one run may take. */
const longestRun = 300_000;

/** With more, a page may be late because of the others. */
const busyAtOnce = Math.min(4, availableParallelism());

/** Visitors who mostly wait for a platform that hangs, which takes no CPU time. */
export const outagesAtOnce = 3;

/** How many visitors of each kind there are at a time, each in processes of their own. */
const visitorsAtOnce = {
  stranger: busyAtOnce,
  /** Has JavaScript disabled. */
  plain: 1,
  member: busyAtOnce,
  /** The platform fails. */
  outage: outagesAtOnce,
};

export type VisitorName = keyof typeof visitorsAtOnce;

/** The browser does not start, or not in the requested mode: no page can be visited. */
export class BrowserUnusable extends Error {
  override name = 'BrowserUnusable';
}

export interface ProofBrowser {
  /** Whether visits also test what is the same in every mode: accessibility, and the end of a session. */
  testsModeIndependent: boolean;
  /**
   * Whether visits operate the controls of signed-in pages. They behave alike in every mode, except where the browser
   * denies storage.
   */
  operatesAsMember: boolean;
  /**
   * Runs `run` as such a visitor, once one is free. After a run that has thrown, the next one is by a new visitor: a page
   * that hangs would also hold up the next page in the same process.
   *
   * @throws {BrowserUnusable}
   */
  as: <T>(
    who: VisitorName,
    platform: Platform<unknown>,
    run: (visitor: BrowserVisitor) => Promise<T>,
  ) => Promise<T>;
  close: () => Promise<void>;
}

/** One visitor's browser context. */
export interface BrowserVisitor {
  context: BrowserContext;
  /** The platform's page with the site's frame. */
  tab: Tab;
  openTab: () => Promise<Tab>;
  /** Replaces {@link BrowserVisitor.tab} after its frame is gone. */
  replaceTab: () => Promise<void>;
  traffic: Traffic;
  browserLog: BrowserLog;
  /** Path and query of each document so far: Chromium repeats their console messages on later pages. */
  shown: Set<string>;
}

export interface Tab extends ProbedFrame {
  page: Page;
  /**
   * Loads a path of the site in the frame, and waits until it has settled.
   *
   * @param within milliseconds for loading it
   * @returns why it could not be loaded; null on success.
   */
  open: (path: string, within?: number) => Promise<string | null>;
  /** Waits until no request is open and the DOM has not changed for a while. */
  settle: (longest?: number) => Promise<void>;
  /** Path and query of the frame's document. */
  path: () => string;
}

/** The browser launches later: `as` rejects if it is not in the requested mode. */
export async function openProofBrowser(
  mode: BrowserMode,
  testsModeIndependent = true,
  longestLoad = 45_000,
): Promise<ProofBrowser> {
  const { executablePath } = await findBrowser();
  const free = new Map<VisitorName, BrowserVisitor[]>();
  const turns = new Map<VisitorName, LimitFunction>();
  const runs = new Set<Promise<unknown>>();
  let browser: Promise<MeasuredBrowser> | undefined;

  const launch = async (): Promise<MeasuredBrowser> => {
    const launched = (browser ??= openMeasured(mode, executablePath));
    const opened = await launched;
    if (opened.isConnected()) return opened;
    // It has crashed, and several visitors notice.
    if (browser === launched) browser = openInMode(mode, executablePath);
    return browser;
  };
  const open = async (who: VisitorName, platform: Platform<unknown>): Promise<BrowserVisitor> => {
    const opened = await launch().catch((error: unknown) => {
      throw new BrowserUnusable((error as Error).message, { cause: error });
    });
    const runsScripts = who !== 'plain';
    const context = await opened.visitor({
      javaScriptEnabled: runsScripts,
      viewport: deskViewport,
    });
    return openVisitor(context, platform, { runsScripts, longestLoad, ...opened });
  };
  const runAs = async <T>(
    who: VisitorName,
    platform: Platform<unknown>,
    run: (visitor: BrowserVisitor) => Promise<T>,
  ): Promise<T> => {
    // A visitor of a browser that has crashed has no page any more.
    const idle = (free.get(who) ?? []).filter(({ tab }) => !tab.page.isClosed());
    const rested = idle.pop();
    free.set(who, idle);
    const visitor = rested ?? (await open(who, platform));
    try {
      // Calls in a page have timeouts of their own; this one covers a browser that has crashed.
      const within = visitor.tab.onThisMachine(longestRun);
      const late = new Error(`the visit took longer than ${Math.round(within / 60_000)} minutes`);
      const result = await withTimeout(run(visitor), within, late);
      free.set(who, [...(free.get(who) ?? []), visitor]);
      return result;
    } catch (error) {
      void visitor.context.close().catch(() => undefined);
      throw error;
    }
  };

  return {
    testsModeIndependent,
    operatesAsMember: testsModeIndependent || mode.storage === 'denied',
    as(who, platform, run) {
      const limit = turns.get(who) ?? pLimit(visitorsAtOnce[who]);
      turns.set(who, limit);
      const result = limit(() => runAs(who, platform, run));
      runs.add(result.catch(() => undefined));
      return result;
    },
    async close() {
      await Promise.all(runs);
      // After a failed launch there is nothing to close, and `as` has rejected.
      await browser?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

async function openInMode(mode: BrowserMode, executablePath: string): Promise<MeasuredBrowser> {
  const browser = await openMeasured(mode, executablePath);
  const { measured } = browser;
  if (measured.storage === mode.storage && measured.thirdPartyCookies === mode.thirdPartyCookies)
    return browser;
  await browser.close();
  const [is, wanted] = [measured, mode].map((each) => JSON.stringify(each));
  throw new Error(`The browser is in the wrong mode: ${is} instead of ${wanted}.`);
}

interface VisitorOptions {
  runsScripts: boolean;
  /** Milliseconds on an ordinary machine. */
  longestLoad: number;
  onThisMachine: OnThisMachine;
}

async function openVisitor(
  context: BrowserContext,
  platform: Platform<unknown>,
  { runsScripts, longestLoad, onThisMachine }: VisitorOptions,
): Promise<BrowserVisitor> {
  context.setDefaultTimeout(onThisMachine(patience));
  const browserLog = await recordBrowserLog(context);
  await context.addInitScript({ content: probeSource });
  const traffic = listenToTraffic(context, platform.siteOrigin, onThisMachine);
  const outer = `${platform.platformUrl}/proof`;

  const openTab = async (): Promise<Tab> => {
    const opened = await context.newPage();
    // Not the simulator's own page, whose panel polls for its state.
    await opened.route(outer, (route) =>
      route.fulfill({ contentType: 'text/html', body: frameHtml }),
    );
    await opened.goto(outer);
    await opened.unroute(outer);
    const element = await opened.locator('iframe').elementHandle();
    const frame = await element.contentFrame();
    if (!frame) throw new Error('The platform’s page has no frame.');
    const { siteOrigin } = platform;
    const loadsWithin = onThisMachine(longestLoad);
    return tabOf({
      page: opened,
      frame,
      onThisMachine,
      siteOrigin,
      traffic,
      runsScripts,
      loadsWithin,
    });
  };
  const visitor: BrowserVisitor = {
    context,
    tab: await openTab(),
    openTab,
    async replaceTab() {
      await visitor.tab.page.close();
      visitor.tab = await openTab();
    },
    traffic,
    browserLog,
    shown: new Set(),
  };
  return visitor;
}

const frameHtml = `<!doctype html><html lang="en"><title>Platform</title>
<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; display: block }</style>
<iframe title="The site"></iframe></html>`;

interface TabParts extends ProbedFrame {
  page: Page;
  siteOrigin: string;
  traffic: Traffic;
  runsScripts: boolean;
  /** Milliseconds. */
  loadsWithin: number;
}

function tabOf(parts: TabParts): Tab {
  const { page, frame, onThisMachine, siteOrigin, traffic, runsScripts, loadsWithin } = parts;
  const settle = async (longest = 3_000): Promise<void> => {
    // Without JavaScript the DOM does not change, and the probe's timers do not run.
    if (!runsScripts) return;
    const end = Date.now() + longest;
    do {
      // After a navigation, wait for the new page.
      await rest(parts, 60, Math.max(60, end - Date.now())).catch(async (error: unknown) => {
        if (isLate(error)) throw error;
        await frame.waitForLoadState().catch(() => undefined);
      });
    } while (traffic.openOf(page) > 0 && Date.now() < end);
  };
  return {
    page,
    frame,
    onThisMachine,
    settle,
    async open(path, within = loadsWithin) {
      const timeout = { timeout: within };
      for (let attempt = 1; ; attempt += 1) {
        try {
          // `commit`: a page that navigates while it loads counts as shown.
          await frame.goto(siteOrigin + path, { waitUntil: 'commit', ...timeout });
          await frame.waitForLoadState('load', timeout);
          break;
        } catch (error) {
          // A navigation of the previous page, or the browser's error page for it, may interrupt this one.
          const isOvertaken = /interrupted by another navigation|ERR_ABORTED/.test(String(error));
          if (isOvertaken && attempt < 4) {
            await frame.waitForLoadState().catch(() => undefined);
            continue;
          }
          // The browser has crashed, which says nothing about the site.
          if (page.isClosed()) throw error;
          if (isLate(error)) return `it did not load within ${Math.round(within / 1_000)} s`;
          const [reason = ''] = String(error).split('\n');
          return reason.replace(/^.*?frame\.\w+: /, '').slice(0, 200);
        }
      }
      try {
        await settle();
        return null;
      } catch (error) {
        // It hangs, so whatever asks it next would wait in vain too.
        return reasonOf(error);
      }
    },
    path() {
      const { pathname, search } = new URL(frame.url());
      return pathname + search;
    },
  };
}
