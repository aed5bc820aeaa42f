/**
 * The browser as visitors have it: third-party cookies allowed or blocked, storage in cross-site frames
 * partitioned, denied or shared. Each mode is measured before a test relies on it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type BrowserContextOptions } from '@playwright/test';
import { machineThatTook, type OnThisMachine } from '../machine.ts';

export interface BrowserMode {
  thirdPartyCookies: 'allowed' | 'blocked';
  /**
   * How `localStorage` behaves in a cross-site frame. `denied` needs blocked cookies, `shared` allowed ones.
   */
  storage: 'partitioned' | 'denied' | 'shared';
}

export interface VisitorsBrowser {
  /** A new visitor, with their own cookies, storage and cache. */
  visitor(
    options?: Pick<BrowserContextOptions, 'javaScriptEnabled' | 'colorScheme' | 'viewport'>,
  ): Promise<BrowserContext>;
  /** Whether it still runs: a browser may crash. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/**
 * Features disabled in every mode: upgrades to https, background requests of the browser, and the check that
 * stops pages which a test fulfils itself from reaching loopback addresses. Chromium honours only the last
 * `--disable-features`, so this list replaces Playwright's, which always turns partitioning off.
 */
const disabledFeatures = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'LocalNetworkAccessChecks',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

/**
 * Starts a browser with a new profile in this mode. Visitors share the process and the profile's settings: a
 * browser for each would take longer than most tests.
 */
export async function openBrowser(
  mode: BrowserMode,
  executablePath: string,
): Promise<VisitorsBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'gatehouse-browser-'));
  await mkdir(join(profile, 'Default'));
  // No command-line switch blocks third-party cookies; the profile's own setting does.
  const preferences = {
    profile: { cookie_controls_mode: mode.thirdPartyCookies === 'blocked' ? 1 : 0 },
  };
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));

  const off = [...disabledFeatures];
  if (mode.storage !== 'partitioned') off.push('ThirdPartyStoragePartitioning');
  const owner = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [`--disable-features=${off.join(',')}`],
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const browser = owner.browser();
  if (!browser) throw new Error('Playwright returned no browser for the persistent context.');
  return {
    async visitor(options = {}) {
      const context = await browser.newContext(options);
      // Shorter than a test's own timeout, so that a failure names what was waited for.
      context.setDefaultTimeout(40_000);
      return context;
    },
    isConnected: () => browser.isConnected(),
    async close() {
      await owner.close();
      // The last of the browser's processes may still be writing.
      await rm(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Milliseconds that measuring the mode takes on an ordinary machine, with another test beside. */
const usualMeasurement = 1_000;

export interface MeasuredBrowser extends VisitorsBrowser {
  /** The mode that it is in. */
  measured: BrowserMode;
  onThisMachine: OnThisMachine;
}

/** Starts a browser, and measures the mode that it is in and how slow the machine is. */
export async function openMeasured(
  mode: BrowserMode,
  executablePath: string,
): Promise<MeasuredBrowser> {
  const browser = await openBrowser(mode, executablePath);
  try {
    const context = await browser.visitor();
    const began = performance.now();
    const measured = await measureMode(context);
    const onThisMachine = machineThatTook(performance.now() - began, usualMeasurement);
    await context.close();
    return { ...browser, measured, onThisMachine };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Measures what this browser does in a cross-site frame: a cookie without `Partitioned` is set there and read
 * back, and so is storage that the same origin wrote at top level.
 */
export async function measureMode(context: BrowserContext): Promise<BrowserMode> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const cookie = 'probe=1; Path=/; Secure; SameSite=None';
    response.setHeader('content-type', 'text/html');
    if (path === '/set') response.setHeader('set-cookie', cookie);
    if (path === '/cookies') response.end(request.headers.cookie ?? '');
    else if (path === '/platform') response.end(`<iframe src="http://site.localhost:${port}/set">`);
    else response.end('site');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const page = await context.newPage();
  try {
    await page.goto(`http://site.localhost:${port}/`);
    await page.evaluate(() => {
      localStorage.setItem('probe', 'of the top level');
    });
    await page.goto(`http://platform.localhost:${port}/platform`);
    const frame = page.frames()[1];
    if (!frame) throw new Error('The page that measures the browser has no frame.');
    const storage = await frame.evaluate(() => {
      try {
        return localStorage.getItem('probe') === null ? 'partitioned' : 'shared';
      } catch {
        return 'denied';
      }
    });
    await frame.goto(`http://site.localhost:${port}/cookies`);
    const cookies = await frame.locator('body').innerText();
    return { thirdPartyCookies: cookies.includes('probe=1') ? 'allowed' : 'blocked', storage };
  } finally {
    await page.close();
    await context.clearCookies();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}
