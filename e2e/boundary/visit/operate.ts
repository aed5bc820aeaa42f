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

/** A control by its key, and the one that reveals it. */
interface Way {
  key: string;
  opener: string | null;
}

/** Repeated items of a list have the same controls, so a page rarely has more different ones. */
const mostControls = 24;

/**
 * Unsafe requests are answered here and never reach the site: it is enough to know that the page makes them.
 *
 * What a control reveals, such as the items of a menu, is used as well: the control first, and then the item.
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
    // Another handler may hold it back.
    if (['GET', 'HEAD', 'OPTIONS'].includes(route.request().method())) return route.fallback();
    blocked += 1;
    return route.fulfill(withheld(route.request()));
  });
  /** Uses a control by its key. Null where the page has none. */
  const useBy = async (key: string): Promise<Control | null> => {
    const control = (await chooseFrom(tab, chosen)).get(key);
    if (!control) return null;
    if (await use(tab, control)) return control;
    // The page was rendered again since the control was listed.
    const again = (await chooseFrom(tab, chosen)).get(key);
    if (again) await use(tab, again);
    return control;
  };
  try {
    // Listed from the end of the page: the first ones are kept.
    const known = new Set([...(await chooseFrom(tab, chosen)).keys()].slice(-mostControls));
    const ways: Way[] = [...known].map((key) => ({ key, opener: null }));
    for (let way = ways.shift(); way; way = ways.shift()) {
      const { key, opener } = way;
      const before = {
        asked: traffic.asked.length,
        downloaded: traffic.downloaded.length,
        blocked,
      };
      const path = tab.path();
      let control = await useBy(key);
      if (!control && opener !== null) {
        await useBy(opener);
        control = await useBy(key);
      }
      if (!control) continue;
      const landed = tab.path() === path ? null : tab.path();
      if (landed === null) await awaitDownloads(lane, before.downloaded);
      const asked = traffic.asked.slice(before.asked);
      outcomes.push({
        control,
        asked,
        downloaded: traffic.downloaded.slice(before.downloaded),
        landed,
      });
      for (const page of context.pages()) if (page !== tab.page) await page.close();
      // The document was replaced, or took the answer that was kept from it for a failure.
      const isReplaced = asked.some((one) => one.isNavigation && !one.path.startsWith('/api/'));
      if (landed !== null || isReplaced || blocked > before.blocked) {
        if (ways.length > 0) await tab.open(address);
        continue;
      }
      if (opener === null) {
        const revealed = [...(await chooseFrom(tab, chosen)).keys()].filter(
          (one) => !known.has(one),
        );
        for (const one of revealed.slice(0, mostControls - known.size)) {
          known.add(one);
          // Next, while they are there: a later control may sign the visitor out.
          ways.unshift({ key: one, opener: key });
        }
      }
      await ask(tab.frame, 'dismiss');
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

/** One control of each name and target, by a key of these: the others of its kind would do the same. */
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
