/** Requests per minute of an open studio tab: while idle, while a job runs, and while the tab is hidden. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { findBrowser, openBrowser } from '@gatehouse/simulator/browser';
import { usualMode } from '@gatehouse/simulator/playwright';
import { framedIn, siteSettings } from '@gatehouse/simulator/fixtures';
import { startSite } from '@gatehouse/simulator/programs';
import { startPlatform, type Platform } from '../../e2e/platform';
import { startArguments } from './measures';

/** Seconds. Longer than any polling interval of the page. */
const measured = Number(process.env['BENCH_TAB_SECONDS'] ?? 60);

interface TabKind {
  name: string;
  person: string;
  hasJob: boolean;
  isHidden: boolean;
}

/** Measured at the same time, each as a different person, by which the ledger separates their calls. */
const kinds: TabKind[] = [
  { name: 'nothing runs', person: 'ada', hasJob: false, isHidden: false },
  { name: 'one job runs', person: 'bobby', hasJob: true, isHidden: false },
  { name: 'one job runs, and the tab is hidden', person: 'xochitl', hasJob: true, isHidden: true },
];

export async function reportTabs(): Promise<void> {
  const platform = await startPlatform({ port: 0, internalPort: 0 });
  const site = await startSite({
    ...siteSettings(platform),
    nodeArguments: startArguments.slice(0, -1),
    entry: startArguments.at(-1) ?? '',
  });
  platform.setSiteUpstream(site.url);
  const { executablePath } = await findBrowser();
  const browser = await openBrowser(usualMode.use.mode, executablePath);
  try {
    // The job outlasts the measurement, and every poll once a second finds progress.
    platform.state.generations.setDuration(3 * measured * 1_000);
    const tabs = await Promise.all(
      kinds.map(async (kind) => ({
        kind,
        ...(await openTab(await browser.visitor(), platform, kind)),
      })),
    );
    await pause(3_000);
    for (const { requested } of tabs) requested.length = 0;
    platform.ledger.clear();
    await pause(measured * 1_000);

    const each = 60 / measured;
    const rows = tabs.map(({ kind: { name, person }, requested }) => {
      const calls = platform.ledger.calls({ persona: person }).map(({ endpoint }) => endpoint);
      return [
        name,
        {
          'to the site': Math.round(requested.length * each),
          'site paths': tally(requested),
          'to the platform': Math.round(calls.length * each),
          'platform endpoints': tally(calls),
        },
      ];
    });
    console.log(`\nRequests per minute of an open studio tab, counted for ${measured} s`);
    console.table(Object.fromEntries(rows));
  } finally {
    await browser.close();
    await site.stop();
    await platform.close();
  }
}

/** @returns the paths that the frame requests from the site, appended to as it does. */
async function openTab(
  context: BrowserContext,
  platform: Platform,
  { person, hasJob, isHidden }: TabKind,
): Promise<{ requested: string[] }> {
  if (hasJob) platform.state.generations.submit(person, 'A lighthouse in a storm');
  const requested: string[] = [];
  context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    // The edge handles `/__auth/` itself; the simulator's page polls there for who is signed in.
    const isOfSite = origin === platform.siteOrigin && !pathname.startsWith('/__auth/');
    if (isOfSite) requested.push(pathname);
  });
  const page = await context.newPage();
  await page.goto(platform.platformUrl);
  await page.locator('iframe[src]').waitFor();
  const framed = framedIn(page, platform);
  const streamOpened = hasJob && page.waitForRequest(/\/api\/generations\/events/);
  await framed.open(platform.sessions.switchPath(person, '/studio'));
  // An enabled control means that `/api/user` has confirmed who is signed in.
  await framed.site.getByRole('radio', { name: 'Clip', disabled: false }).waitFor();
  await streamOpened;
  if (isHidden) await (await framed.frame()).evaluate(hide);
  return { requested };
}

/** Runs in the page, and makes it behave as in a background tab. Playwright keeps all of its pages visible. */
function hide(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** The count of each name, the most frequent first, such as `3 × /api/user, 1 × /studio`. */
function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}
