/** Operates the controls of a page one by one, and records the effects of each. */
import type { Request } from '@playwright/test';
import { valueFor } from '../crawl/field-values.ts';
import { png } from '../crawl/fill-form.ts';
import type { BrowserVisitor, Tab } from './proof-browser.ts';
import {
  callProbe,
  elementOf,
  isNavigationError,
  nullIfNavigated,
  type Control,
  type SavedByScript,
} from './probe.ts';
import type { PageRequest } from './traffic.ts';

export interface Operated {
  control: Control;
  requests: PageRequest[];
  downloaded: string[];
  saved: SavedByScript[];
  /** Path and query that the frame navigated to; null if it stayed. */
  landed: string | null;
}

/** A control to operate, and the control that reveals it. Both by key. */
interface Step {
  key: string;
  opener: string | null;
}

/** A page rarely has more different controls: items of a list repeat the same ones. */
const mostControls = 24;

/**
 * Unsafe requests are intercepted and never reach the site: it is enough to know that the page sends them.
 *
 * Controls that another control reveals, such as the items of a menu, are operated too, after that control.
 *
 * @param address the page's address, to return to
 * @param chosen which of its controls to operate
 */
export async function operateControls(
  visitor: BrowserVisitor,
  address: string,
  chosen: (control: Control) => boolean,
): Promise<Operated[]> {
  const { context, traffic, tab } = visitor;
  const outcomes: Operated[] = [];
  let blocked = 0;
  await context.route('**/*', (route) => {
    // Another handler may delay it.
    if (['GET', 'HEAD', 'OPTIONS'].includes(route.request().method())) return route.fallback();
    blocked += 1;
    return route.fulfill(withheld(route.request()));
  });
  /** Operates the control with this key. Null if the page has none. */
  const useBy = async (key: string): Promise<Control | null> => {
    const control = (await chooseFrom(tab, chosen)).get(key);
    if (!control) return null;
    if (await use(tab, control)) return control;
    // The page has rendered again since the control was listed.
    const again = (await chooseFrom(tab, chosen)).get(key);
    if (again) await use(tab, again);
    return control;
  };
  // Some buttons stay disabled until then. What the page requests meanwhile is no control's.
  const fill = async () => {
    const fields = await callProbe(tab, 'emptyFields');
    const values = fields.map((field) => valueFor(field, 'visitor'));
    await callProbe(tab, 'fillFields', values);
    if (fields.length > 0) await tab.settle(1_500);
  };
  const reopen = async () => {
    await tab.open(address);
    await fill();
  };
  try {
    await fill();
    // The map is in reverse document order: keep the first controls of the page.
    const known = new Set([...(await chooseFrom(tab, chosen)).keys()].slice(-mostControls));
    const steps: Step[] = [...known].map((key) => ({ key, opener: null }));
    for (let step = steps.shift(); step; step = steps.shift()) {
      const { key, opener } = step;
      const before = {
        requests: traffic.requests.length,
        downloaded: traffic.downloaded.length,
        blocked,
      };
      const path = tab.path();
      let control = await useBy(key);
      if (!control && opener !== null) {
        await useBy(opener);
        await fill();
        control = await useBy(key);
      }
      if (!control) continue;
      const landed = tab.path() === path ? null : tab.path();
      let saved: SavedByScript[] | null = null;
      if (landed === null) {
        const begun = await callProbe(tab, 'takeDownloads').catch(nullIfNavigated);
        begun?.forEach(traffic.noteDownload);
        saved = await callProbe(tab, 'takeSaved').catch(nullIfNavigated);
      }
      const requests = traffic.requests.slice(before.requests);
      outcomes.push({
        control,
        requests,
        downloaded: traffic.downloaded.slice(before.downloaded),
        saved: saved ?? [],
        landed,
      });
      for (const page of context.pages()) if (page !== tab.page) await page.close();
      // The document was replaced, or may show an error after an intercepted request.
      const isReplaced = requests.some(
        ({ isNavigation, path: sentTo }) => isNavigation && !sentTo.startsWith('/api/'),
      );
      if (landed !== null || isReplaced || blocked > before.blocked) {
        if (steps.length > 0) await reopen();
        continue;
      }
      if (opener === null) {
        await fill();
        const revealed = [...(await chooseFrom(tab, chosen)).keys()].filter(
          (revealedKey) => !known.has(revealedKey),
        );
        for (const revealedKey of revealed.slice(0, mostControls - known.size)) {
          known.add(revealedKey);
          // Operate them next, while they are shown: a later control may sign the visitor out.
          steps.unshift({ key: revealedKey, opener: key });
        }
      }
      await callProbe(tab, 'dismiss');
    }
  } finally {
    await context.unroute('**/*');
  }
  return outcomes;
}

/** Intercepted `/api/` requests get a 503, which a page must handle. Forms get a 204, which the browser ignores. */
function withheld(request: Request) {
  if (!new URL(request.url()).pathname.startsWith('/api/')) return { status: 204 };
  return { status: 503, contentType: 'application/json', body: '{"error":"unavailable"}' };
}

/** The chosen controls by key. Controls with the same kind, name and target are assumed to do the same. */
async function chooseFrom(
  tab: Tab,
  chosen: (control: Control) => boolean,
): Promise<Map<string, Control>> {
  const usable = (await callProbe(tab, 'controls')).filter(
    (control) => control.isOperable && (control.isVisible || control.kind === 'file'),
  );
  return new Map(
    usable
      .filter(chosen)
      .toReversed()
      .map((control) => {
        const { kind, name, isInMain, target } = control;
        return [[kind, name, isInMain, target?.path.split('?')[0]].join(' '), control];
      }),
  );
}

/** @returns whether the control still existed. */
async function use(tab: Tab, control: Control): Promise<boolean> {
  let isThere = true;
  try {
    if (control.kind === 'file') {
      const input = (await elementOf(tab, control)).asElement();
      await input?.setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: png });
    } else isThere = await callProbe(tab, 'operate', control.id);
  } catch (error) {
    // Operating the control may have caused a navigation.
    if (!isNavigationError(error)) throw error;
  }
  await tab.settle(1_500);
  return isThere;
}
