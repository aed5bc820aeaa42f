/**
 * The fixtures of every end-to-end test: the platform, the built site behind it, and a browser in the
 * project's mode. Each test starts from a reset platform.
 */
import {
  expect,
  test as base,
  type Frame,
  type FrameLocator,
  type Locator,
  type Page,
} from '@playwright/test';
import { findBrowser } from './browser.ts';
import { openMeasured, type BrowserMode, type MeasuredBrowser } from './browser-modes.ts';
import { recordBrowserLog, type BrowserLog } from './browser-log.ts';
import type { SiteDefinition } from '../definition.ts';
import type { LedgerEntry, NoteKind } from '../internal-api/ledger.ts';
import { givePatience } from './patience.ts';
import { startPlatform, type Platform } from '../platform.ts';
import { startSite, type Site } from '../programs/site-process.ts';

export { expect };

/** The entry that `npm start` runs. */
export const siteEntry = 'build/server/main.js';

/** Milliseconds for worker-scoped fixtures (browsers and servers), on a busy machine. */
const startTimeout = 120_000;

export interface Stack<P = Platform<unknown>> {
  platform: P;
  site: Site;
}

/** The platform's page, with the site in its frame. */
export interface Framed {
  page: Page;
  /** Finds things inside the site, or inside the platform's sign-in while that is shown. */
  site: FrameLocator;
  /** The frame's current `Frame`. */
  frame(): Promise<Frame>;
  /** Shows another page of the site in the frame. */
  open(path: string): Promise<void>;
  /** Chooses the frame's sandbox on the platform's page, which recreates the frame. */
  sandbox(choice: 'none' | 'standard' | 'no-downloads' | 'no-same-origin'): Promise<void>;
  /** Waits until a page of the site has loaded in the frame. */
  loaded(): Promise<void>;
  /** Path and query that the frame shows. */
  path(): Promise<string>;
  /** Waits until React has taken over the whole page in the frame. */
  hydrated(): Promise<void>;
}

interface WorkerFixtures<P> {
  /** Set by the project. */
  mode: BrowserMode;
  /** The worker's browser, after it was measured to be in the project's mode. */
  provenBrowser: MeasuredBrowser;
  stack: Stack<P>;
}

interface TestFixtures<P> {
  platform: P;
  browserLog: BrowserLog;
  framed: Framed;
  /** Signs the frame in with a one-time code from the platform, then opens a page of the site. */
  signedIn: (persona: string, path: string) => Promise<void>;
  /** Signs in through the platform's own page in the frame, starting from the page that is shown. */
  login: (persona: string) => Promise<void>;
  signOut: () => Promise<void>;
  /** Violations that a test provokes on purpose: each must be noted, and no other may be. */
  provokes: readonly NoteKind[];
  freshPlatform: undefined;
}

/** The edge's notes that mean a mistake of the site. */
const mistakes: readonly NoteKind[] = [
  'api_navigated',
  'auth_route_fetched',
  'platform_cookie_set_by_site',
  'site_unreachable',
];

export interface FixtureOptions {
  /** The program that is the site, relative to the site's folder. */
  entry?: string;
  /** What the site's buttons say that `login` and `signOut` click. */
  signIn?: string;
  signOut?: string;
}

/**
 * Playwright's `test` for the flows of a site.
 *
 * @param site what `e2e/site.ts` exports.
 */
export function fixturesFor<State, Name extends string>(
  site: SiteDefinition<State, Name>,
  { entry = siteEntry, signIn = 'Sign in', signOut = 'Sign out' }: FixtureOptions = {},
) {
  type P = Platform<State, Name>;
  return base.extend<TestFixtures<P>, WorkerFixtures<P>>({
    mode: [
      { thirdPartyCookies: 'blocked', storage: 'partitioned' },
      { option: true, scope: 'worker' },
    ],

    provenBrowser: [
      async ({ mode }, use) => {
        const { executablePath } = await findBrowser();
        const browser = await openMeasured(mode, executablePath);
        const { measured } = browser;
        expect(measured, 'the browser is not in the mode that the project names').toEqual(mode);
        await use(browser);
        await browser.close();
      },
      { scope: 'worker', timeout: startTimeout },
    ],

    stack: [
      // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
      async ({}, use) => {
        const { platform: definition, auth, settings = {} } = site;
        const options = { port: 0, internalPort: 0, ...(auth && { auth }) };
        const platform = await startPlatform(definition, options);
        const running = await startSite({ ...siteSettings(platform), entry, env: settings });
        platform.setSiteUpstream(running.url);
        await use({ platform, site: running });
        await running.stop();
        await platform.close();
      },
      { scope: 'worker', timeout: startTimeout },
    ],

    platform: async ({ stack }, use) => {
      await use(stack.platform);
    },

    provokes: [[], { option: true }],

    freshPlatform: [
      async ({ stack: { platform }, provokes }, use) => {
        await platform.reset();
        await use(undefined);
        // Every test also checks that the site has violated no rule of the platform.
        expect(platform.ledger.violations()).toEqual([]);
        const noted = mistakes.flatMap((note) => platform.ledger.entries({ note }));
        const isProvoked = (entry: LedgerEntry) =>
          entry.kind === 'note' && provokes.includes(entry.note);
        expect(noted.filter((entry) => !isProvoked(entry))).toEqual([]);
        for (const note of provokes) {
          expect(platform.ledger.entries({ note }), `${note} is provoked`).not.toEqual([]);
        }
      },
      { auto: true },
    ],

    context: async ({ provenBrowser, javaScriptEnabled, colorScheme, viewport }, use, testInfo) => {
      const context = await provenBrowser.visitor({
        javaScriptEnabled,
        ...(colorScheme && { colorScheme }),
        ...(viewport && { viewport }),
      });
      givePatience(context, testInfo, provenBrowser.onThisMachine);
      await use(context);
      await context.close();
    },

    browserLog: async ({ context }, use) => {
      const browserLog = await recordBrowserLog(context);
      await use(browserLog);
      expect(browserLog.unexpected(), 'what the browser complained about').toEqual([]);
    },

    page: async ({ browserLog }, use) => {
      await use(await browserLog.context.newPage());
    },

    framed: async ({ page, platform }, use) => {
      await page.goto(platform.platformUrl);
      const framed = framedIn(page, platform);
      // The page creates its frame once it knows the site.
      await page.locator('iframe[src]').waitFor();
      await framed.loaded();
      await use(framed);
    },

    signedIn: async ({ framed, platform }, use) => {
      await use(async (persona, path) => {
        await framed.open(platform.sessions.switchPath(persona, path));
      });
    },

    login: async ({ framed, platform }, use) => {
      await use(async (persona) => {
        const { site } = framed;
        const back = await framed.path();
        await site.getByRole('button', { name: signIn, exact: true }).first().click();
        await site.getByRole('heading', { name: 'Sign in to the platform' }).waitFor();
        await site.locator(`button[value="${persona}"]`).click();
        const frame = await framed.frame();
        await frame.waitForURL(platform.siteOrigin + back);
      });
    },

    signOut: async ({ framed }, use) => {
      await use(async () => {
        const { site } = framed;
        const frame = await framed.frame();
        // The current page may learn of the session's end before the next one has loaded.
        const left = framed.page.waitForEvent('framenavigated', (navigated) => navigated === frame);
        await openMenuOf(site.locator('body'), signOut);
        await site.getByRole('button', { name: signOut, exact: true }).first().click();
        await left;
        await site.getByRole('button', { name: signIn, exact: true }).first().waitFor();
      });
    },
  });
}

/** Opens the menu that contains a control, if any: the contents of a closed `<details>` cannot be found or clicked. */
export async function openMenuOf(part: Locator, button: string): Promise<void> {
  const control = part.page().getByRole('button', { name: button, includeHidden: true });
  const menu = part.locator('details:not([open])').filter({ has: control });
  // Whether a menu contains the control is known only once it is attached.
  await part
    .getByRole('button', { name: button, includeHidden: true })
    .first()
    .waitFor({ state: 'attached' });
  if ((await menu.count()) > 0) await menu.locator('summary').first().click();
}

/**
 * Holds matching requests until the returned function is called, so that a test can observe the page, or act, while a
 * response is pending.
 */
export async function hold(page: Page, url: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** The settings with which a site runs behind this platform. */
export function siteSettings(platform: Platform<unknown>) {
  return {
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    smtpUrl: platform.smtpUrl,
  };
}

export function framedIn(page: Page, platform: Platform<unknown>): Framed {
  const frame = async (): Promise<Frame> => {
    const element = await page.locator('iframe').elementHandle();
    const found = await element.contentFrame();
    if (!found) throw new Error('The platform’s page has no frame.');
    return found;
  };
  const loaded = async (): Promise<void> => {
    await (await frame()).waitForURL(({ origin }) => origin === platform.siteOrigin);
  };
  return {
    page,
    site: page.frameLocator('iframe'),
    frame,
    async open(path) {
      await (await frame()).goto(platform.siteOrigin + path);
    },
    async sandbox(choice) {
      const old = await page.locator('iframe').elementHandle();
      await page.getByLabel('Sandbox').selectOption(choice);
      await old.waitForElementState('hidden');
      const sandboxed = page.locator(choice === 'none' ? 'iframe' : 'iframe[sandbox]');
      await sandboxed.waitFor();
      await loaded();
    },
    loaded,
    async path() {
      const { pathname, search } = new URL((await frame()).url());
      return pathname + search;
    },
    async hydrated() {
      const current = await frame();
      await expect.poll(() => current.evaluate(isHydrated)).toBe(true);
    },
  };
}

/**
 * Runs in the page. React 18 stores its root on the document, and in it whether hydration is pending.
 */
function isHydrated(): boolean {
  interface Root {
    stateNode: { current: { memoizedState: { isDehydrated?: boolean } | null } };
  }
  const [, root] =
    Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? [];
  return (root as Root | undefined)?.stateNode.current.memoizedState?.isDehydrated === false;
}
