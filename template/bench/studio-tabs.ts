/** What an open tab of the studio asks for in a minute: one that is idle, one that waits for a job, one that is hidden. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { findBrowser } from '../../e2e/harness/browser/browser';
import { openBrowser } from '../../e2e/harness/browser/browser-modes';
import { usualMode } from '../../e2e/harness/browser/config';
import { framedIn, siteSettings } from '../../e2e/harness/browser/fixtures';
import { startSite } from '../../e2e/harness/programs/site-process';
import { startPlatform, type Platform } from '../../e2e/platform';
import { startArguments } from './measures';

/** Longer than any interval of the page. */
const measured = Number(process.env['BENCH_TAB_SECONDS'] ?? 60);

interface TabKind {
  name: string;
  person: string;
  hasJob: boolean;
  isHidden: boolean;
}

/** At the same time, each a person of their own: the ledger tells them apart. */
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
    // It outlasts the measurement, and every second look hears of progress.
    platform.state.generations.setDuration(3 * measured * 1_000);
    const tabs = await Promise.all(
      kinds.map(async (kind) => ({
        kind,
        ...(await openTab(await browser.visitor(), platform, kind)),
      })),
    );
    await pause(3_000);
    for (const { asked } of tabs) asked.length = 0;
    platform.ledger.clear();
    await pause(measured * 1_000);

    const each = 60 / measured;
    const rows = tabs.map(({ kind: { name, person }, asked }) => {
      const calls = platform.ledger.calls({ persona: person }).map(({ endpoint }) => endpoint);
      return [
        name,
        {
          'to the site': Math.round(asked.length * each),
          'of these': tally(asked),
          'to the platform': Math.round(calls.length * each),
          'of those': tally(calls),
        },
      ];
    });
    console.log(`\nRequests a minute of an open tab of the studio, counted for ${measured} s`);
    console.table(Object.fromEntries(rows));
  } finally {
    await browser.close();
    await site.stop();
    await platform.close();
  }
}

/** @returns what the frame asks the site for, as it asks. */
async function openTab(
  context: BrowserContext,
  platform: Platform,
  { person, hasJob, isHidden }: TabKind,
): Promise<{ asked: string[] }> {
  if (hasJob) platform.state.generations.submit(person, 'A lighthouse in a storm');
  const asked: string[] = [];
  context.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    // The edge's own addresses never reach the site: the simulator's page asks there who is signed in.
    const isOfSite = origin === platform.siteOrigin && !pathname.startsWith('/__auth/');
    if (isOfSite) asked.push(pathname);
  });
  const page = await context.newPage();
  await page.goto(platform.platformUrl);
  await page.locator('iframe[src]').waitFor();
  const framed = framedIn(page, platform);
  const isListening = hasJob && page.waitForRequest(/\/api\/generations\/events/);
  await framed.open(platform.sessions.switchPath(person, '/studio'));
  // A control that works: the browser has confirmed who is signed in.
  await framed.site.getByRole('radio', { name: 'Clip', disabled: false }).waitFor();
  await isListening;
  if (isHidden) await (await framed.frame()).evaluate(hide);
  return { asked };
}

/** Runs in the page, as it is told in a tab behind others. Playwright keeps each of its pages visible. */
function hide(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** How often each comes, the most frequent first. */
function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}
