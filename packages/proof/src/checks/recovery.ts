/** Whether a page in a browser recovers after an outage. */
import type { RouteUnderProof } from '../stage/stage.ts';
import { callProbe, nullIfNavigated, type Control, type PageSummary } from '../visit/probe.ts';
import type { BrowserVisitor, Tab } from '../visit/proof-browser.ts';
import { isSignIn } from '../visit/visit-page.ts';

/**
 * Milliseconds for the page to recover, by itself or after a click. The time that the page takes to load without a
 * fault is added, to allow for a busy machine.
 */
const recoverWithin = 3_000;

/** Milliseconds for requests that are still open when the fault ends: they take until the site's own deadline. */
export const lastResponses = 8_000;

/** The summary of a page that is still loading. */
const nothingYet: PageSummary = { text: '', marks: [], buttons: [] };

export interface OpenPage {
  route: RouteUnderProof;
  address: string;
  tab: Tab;
  /** The page without a fault. */
  healthy: PageSummary;
  /** Milliseconds that it took to load without a fault. */
  opensIn: number;
}

export async function openPage(
  visitor: BrowserVisitor,
  route: RouteUnderProof,
  address: string,
): Promise<OpenPage | string> {
  const tab = await visitor.openTab();
  const began = performance.now();
  const problem = await tab.open(address);
  const opensIn = performance.now() - began;
  // On a busy machine `/api/user` may still be loading.
  await tab.settle(lastResponses);
  const isAtSignIn = tab.path().startsWith('/__auth/');
  if (problem === null && !isAtSignIn) {
    const healthy = await callProbe(tab, 'summary').catch(nullIfNavigated);
    if (healthy) return { route, address, tab, opensIn, healthy };
    await tab.page.close();
    return 'keeps navigating';
  }
  await tab.page.close();
  return isAtSignIn ? 'leads to sign-in' : `does not load: ${problem ?? ''}`;
}

/** @returns what the page still lacks after its time to recover; null when it lacks nothing. */
export async function recover({
  tab,
  address,
  healthy,
  opensIn,
}: OpenPage): Promise<string | null> {
  /** Polls until nothing is missing or the time is up. */
  const until = async (missing: () => Promise<string | null>) => {
    for (const end = Date.now() + recoverWithin + opensIn; ;) {
      const found = await missing();
      if (found === null || Date.now() >= end) return found;
      await tab.page.waitForTimeout(100);
    }
  };
  const look = async () => {
    const now = await callProbe(tab, 'summary').catch(() => nothingYet);
    return {
      missing: healthy.marks.find((mark) => !now.marks.includes(mark)) ?? null,
      button: now.buttons.find(
        ({ kind, name, target }) =>
          // A retry control is one that the healthy page lacks; links elsewhere and sign-out do not count. The page may
          // have navigated by itself.
          !healthy.marks.includes(`${kind} ${name}`) &&
          (kind !== 'link' || target?.path === tab.path()) &&
          !target?.path.startsWith('/__auth/'),
      ),
    };
  };

  let lost: string | null = null;
  // Twice, because the page may navigate by itself between the look and the click.
  for (let clicks = 0; clicks < 2; clicks += 1) {
    // A page that is still loading shows its retry button later.
    let button: Control | undefined;
    lost = await until(async () => {
      const now = await look();
      button = now.missing === null ? undefined : now.button;
      return button ? null : now.missing;
    });
    if (!button) break;
    await callProbe(tab, 'operate', button.id).catch(() => undefined);
    // On a busy machine the page that it loads may take long, and a second click would start that again.
    await tab.settle(lastResponses);
    lost = await until(async () => (await look()).missing);
    if (lost === null) break;
  }
  if (lost === null) return null;
  // The healthy page may have changed meanwhile: only what a fresh load of it shows counts as missing.
  const left = (await callProbe(tab, 'summary').catch(nullIfNavigated)) ?? nothingYet;
  await tab.open(address);
  // Another page has ended the session, which explains what is missing.
  if (isSignIn(tab.path())) return null;
  const missing = await until(async () => {
    const anew = (await callProbe(tab, 'summary').catch(nullIfNavigated)) ?? nothingYet;
    return anew.marks.find((mark) => !left.marks.includes(mark)) ?? null;
  });
  return (
    missing && `${missing} and shows “${left.text.replaceAll(/\s+/g, ' ').slice(0, 80)}” instead`
  );
}
