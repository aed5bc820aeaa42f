/**
 * The browsers that the proof looks through: each is a visitor of its own, with the site in a frame of the
 * platform's origin. They are opened when a check first needs them, and measured to be in the mode that was asked for.
 */
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { findBrowser } from '../../harness/browser/browser';
import {
  measureMode,
  openVisitor,
  type BrowserMode,
  type Visitor,
} from '../../harness/browser/browser-modes';
import { listenForNoise, type Calm } from '../../harness/browser/calm';
import type { Platform } from '../../harness/platform';
import { probeSource, rest } from '../visit/probe';
import { listenToTraffic, type Traffic } from '../visit/traffic';

export const deskViewport = { width: 1_280, height: 800 };

/** Milliseconds for a page to arrive and come to rest. */
const patience = 12_000;

/** Milliseconds for all that is asked of one page, on a busy machine too. */
const longestLook = 300_000;

export interface ProofBrowser {
  /** Runs `look` with a visitor of this name, after whatever else that visitor is wanted for. */
  as: <T>(
    who: VisitorName,
    platform: Platform<unknown>,
    look: (lane: Lane) => Promise<T>,
  ) => Promise<T>;
  close: () => Promise<void>;
}

/** `plain` runs no scripts. The platform fails those who suffer, or lets them wait. */
export type VisitorName = 'stranger' | 'plain' | 'member' | 'sufferer' | 'waiting sufferer';

/** One visitor's browser. */
export interface Lane {
  context: BrowserContext;
  /** The platform's page with the site's frame. */
  tab: Tab;
  openTab: () => Promise<Tab>;
  traffic: Traffic;
  calm: Calm;
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
export async function openProofBrowser(mode: BrowserMode): Promise<ProofBrowser> {
  const { executablePath } = await findBrowser();
  const lanes = new Map<VisitorName, { lane: Promise<Lane>; turn: Promise<unknown> }>();
  const visitors: Promise<Visitor>[] = [];
  let measured: Promise<void> | undefined;

  const open = async (who: VisitorName, platform: Platform<unknown>): Promise<Lane> => {
    const visitor = openVisitor(mode, executablePath, {
      javaScriptEnabled: who !== 'plain',
      viewport: deskViewport,
    });
    visitors.push(visitor);
    const { context } = await visitor;
    // Without scripts there is nothing to measure by: it is the same program with the same settings.
    if (who !== 'plain') await (measured ??= mustBeIn(mode, context));
    return openLane(context, platform, who !== 'plain');
  };

  return {
    as(who, platform, look) {
      const known = lanes.get(who) ?? { lane: open(who, platform), turn: Promise.resolve() };
      lanes.set(who, known);
      const result = known.turn.then(async () => {
        const looking = look(await known.lane);
        // Those who suffer look at every page in one go.
        return who.endsWith('sufferer') ? looking : withinTime(looking);
      });
      known.turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await Promise.all([...lanes.values()].map(({ turn }) => turn));
      await Promise.all(visitors.map(async (visitor) => (await visitor).close()));
    },
  };
}

/** Rejects after {@link longestLook}: Playwright's `evaluate` has no timeout, and may hang while a frame navigates. */
async function withinTime<T>(looking: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`A page could not be looked at within ${longestLook / 60_000} minutes.`));
    }, longestLook);
  });
  return Promise.race([looking, late]).finally(() => {
    clearTimeout(timer);
  });
}

async function mustBeIn(mode: BrowserMode, context: BrowserContext): Promise<void> {
  const measured = await measureMode(context);
  if (measured.storage === mode.storage && measured.thirdPartyCookies === mode.thirdPartyCookies) {
    return;
  }
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

  const openTab = async (page?: Page): Promise<Tab> => {
    const opened = page ?? (await context.newPage());
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
  const tab = await openTab(context.pages()[0]);
  return { context, tab, openTab: () => openTab(), traffic, calm };
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
          await frame.goto(siteOrigin + path);
          break;
        } catch (error) {
          // The browser may still be on its way to the error page of the address before.
          const isOvertaken = /interrupted by another navigation/.test(String(error));
          if (isOvertaken && attempt < 4) {
            await frame.waitForLoadState().catch(() => undefined);
            continue;
          }
          // Without a browser nothing can be told of the site.
          if (page.isClosed()) throw error;
          const [reason = ''] = String(error).split('\n');
          return reason.replace(/^.*?frame\.goto: /, '').slice(0, 200);
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
