/** Uses the controls of a page, one after the other, and says what came of each. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from '@playwright/test';
import { png } from '../crawl/fill-form';
import type { Lane, Tab } from './proof-browser';
import { ask, elementOf, isOfLeftPage, type Control } from './probe';
import type { AskedRequest } from './traffic';

export interface Operated {
  control: Control;
  asked: AskedRequest[];
  downloaded: string[];
  /** Where the frame has gone by it, as path and query; null where it stayed. */
  landed: string | null;
}

/** Enough to know a page by: a list of a hundred things has the same buttons a hundred times. */
const mostControls = 24;

/**
 * Unsafe requests are answered here and never reach the site: it is enough to know that the page makes them.
 *
 * @param address of the page, to come back to
 * @param chosen which of its controls
 */
export async function operateControls(
  lane: Lane,
  address: string,
  chosen: (control: Control) => boolean,
): Promise<Operated[]> {
  const { context, traffic, tab } = lane;
  const outcomes: Operated[] = [];
  let blocked = 0;
  await context.route('**/*', (route) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(route.request().method())) return route.continue();
    blocked += 1;
    return route.fulfill(withheld(route.request()));
  });
  try {
    let listed = await chooseFrom(tab, chosen);
    // Listed from the end of the page: the first ones are kept.
    const keys = [...listed.keys()].slice(-mostControls);
    for (const key of keys) {
      const control = listed.get(key);
      if (!control) continue;
      const before = {
        asked: traffic.asked.length,
        downloaded: traffic.downloaded.length,
        blocked,
      };
      const path = tab.path();
      if (!(await use(tab, control))) {
        // The page was drawn anew since it was listed.
        const again = (await chooseFrom(tab, chosen)).get(key);
        if (again) await use(tab, again);
      }
      const landed = tab.path() === path ? null : tab.path();
      if (landed === null) await awaitDownloads(lane, before.downloaded);
      outcomes.push({
        control,
        asked: traffic.asked.slice(before.asked),
        downloaded: traffic.downloaded.slice(before.downloaded),
        landed,
      });
      for (const page of context.pages()) if (page !== tab.page) await page.close();
      if (key === keys.at(-1)) break;
      // The page is gone, or took the answer that was kept from it for a failure.
      if (landed !== null || blocked > before.blocked) await tab.open(address);
      listed = await chooseFrom(tab, chosen);
    }
  } finally {
    await context.unroute('**/*');
  }
  return outcomes;
}

/** A page has to be ready for a 503 of `/api/`. To a form, which may show what its action says, 204 says nothing. */
function withheld(request: Request) {
  if (!new URL(request.url()).pathname.startsWith('/api/')) return { status: 204 };
  return { status: 503, contentType: 'application/json', body: '{"error":"unavailable"}' };
}

/** One of each name: what is alike does alike. */
async function chooseFrom(
  { frame }: Tab,
  chosen: (control: Control) => boolean,
): Promise<Map<string, Control>> {
  await ask(frame, 'fillTexts');
  const usable = (await ask(frame, 'controls')).filter(
    (control) => control.isEnabled && (control.isVisible || control.kind === 'file'),
  );
  return new Map(
    usable
      .filter(chosen)
      .toReversed()
      .map((one) => [
        [one.kind, one.name, one.isInMain, one.target?.path.split('?')[0]].join(' '),
        one,
      ]),
  );
}

/** @returns whether it was still there. */
async function use(tab: Tab, control: Control): Promise<boolean> {
  let isThere = true;
  try {
    if (control.kind === 'file') {
      const input = (await elementOf(tab.frame, control)).asElement();
      await input?.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: png });
    } else isThere = await ask(tab.frame, 'operate', control.id);
  } catch (error) {
    // Using it may be what made the page leave.
    if (!isOfLeftPage(error)) throw error;
  }
  await tab.settle(1_500);
  return isThere;
}

/** Milliseconds for the answer of a download: Chromium reports it then. */
const longestDownload = 5_000;

/** Waits for the downloads that the page has begun: leaving it before their answers would end them unreported. */
async function awaitDownloads({ tab, traffic }: Lane, reported: number): Promise<void> {
  const wanted = reported + (await ask(tab.frame, 'takeDownloads'));
  const end = Date.now() + longestDownload;
  while (traffic.downloaded.length < wanted && Date.now() < end) await pause(20);
}
