/** Inspects a signed-in visitor's page twice: before `/api/user` has responded, and after the session has ended. */
import type { Platform } from '@gatehouse/simulator/platform';
import type { Person } from '../people/people.ts';
import { marksIn } from '../people/words.ts';
import { operateControls } from './operate.ts';
import { callProbe, nullIfNavigated, type Control } from './probe.ts';
import type { BrowserVisitor } from './proof-browser.ts';
import type { PageRequest } from './traffic.ts';

export interface WatchedSession {
  /** Enabled controls that use the SDK before the browser knows who is signed in (W16). */
  early: Control[];
  /** What remains after the session has ended and the visitor has returned to the page (W18). */
  left: Left;
}

export interface Left {
  /** Whether the page still shows the person's marker. */
  isShown: boolean;
  /** Enabled controls that use the SDK. */
  controls: Control[];
}

export interface SdkUse {
  /** Whether the markup of a control declares a request that uses the SDK. */
  leads: (control: Control) => boolean;
  /** Whether the control sent such a request when the member operated it: only these are operated early. */
  hasRequestedSdk: (control: Control) => boolean;
  /** Whether a request that a control's script sends uses the SDK. */
  requestsSdk: (request: PageRequest) => boolean;
}

const relay = '/api/user';

/** Milliseconds for a page to notice that the session has ended, in addition to its load time. */
const noticedWithin = 3_000;

const nothing: Left = { isShown: false, controls: [] };

/**
 * @param address a page that uses the SDK
 * @returns null if the page does not load, or navigates by itself, and cannot be inspected
 */
export async function watchSession(
  visitor: BrowserVisitor,
  platform: Platform<unknown>,
  person: Person,
  address: string,
  sdk: SdkUse,
): Promise<WatchedSession | null> {
  try {
    return await watch(visitor, platform, person, address, sdk);
  } catch (error) {
    if (!visitor.tab.frame.isDetached()) return nullIfNavigated(error);
    await visitor.replaceTab();
    return null;
  }
}

async function watch(
  visitor: BrowserVisitor,
  { sessions }: Platform<unknown>,
  person: Person,
  address: string,
  sdk: SdkUse,
): Promise<WatchedSession | null> {
  const { tab } = visitor;
  const early = await whileHeld(visitor, async () => {
    const problem = await tab.open(sessions.switchPath(person.id, address));
    return problem === null && isOfSite(visitor) ? listUsable(visitor, address, sdk) : [];
  });
  const begun = Date.now();
  if ((await tab.open(address)) !== null || !isOfSite(visitor)) return null;
  const patience = tab.onThisMachine(noticedWithin) + (Date.now() - begun);
  await signOutElsewhere(visitor);
  await callProbe(tab, 'comeBack').catch(nullIfNavigated);
  return { early, left: await untilNothingLeft(visitor, person, sdk, patience) };
}

/** Runs `look` while `/api/user` does not respond. */
async function whileHeld<T>(
  { context, traffic }: BrowserVisitor,
  look: () => Promise<T>,
): Promise<T> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const isRelay = ({ pathname }: URL): boolean => pathname === relay;
  traffic.held = relay;
  await context.route(isRelay, async (route) => {
    await released;
    // The page may be closed by now.
    await route.fallback().catch(() => undefined);
  });
  try {
    return await look();
  } finally {
    traffic.held = null;
    release();
    await context.unroute(isRelay);
  }
}

async function listUsable(
  visitor: BrowserVisitor,
  address: string,
  sdk: SdkUse,
): Promise<Control[]> {
  const listed = await callProbe(visitor.tab, 'controls');
  const byMarkup = listed.filter((control) => isUsable(control) && sdk.leads(control));
  if (!listed.some((control) => isUsable(control) && sdk.hasRequestedSdk(control))) return byMarkup;
  const operated = await operateControls(visitor, address, sdk.hasRequestedSdk);
  const byScript = operated
    .filter(({ landed, requests }) => landed === null && requests.some(sdk.requestsSdk))
    .map(({ control }) => control);
  return [...byMarkup, ...byScript];
}

/** Signs out in another tab, without the open page noticing. */
async function signOutElsewhere({ openTab }: BrowserVisitor): Promise<void> {
  const other = await openTab();
  await other.open('/__auth/logout?return=%2Ffavicon.ico');
  await other.page.close();
}

/** Polls until nothing of the visitor's is left, or the time is up. */
async function untilNothingLeft(
  visitor: BrowserVisitor,
  { mark }: Person,
  sdk: SdkUse,
  patience: number,
): Promise<Left> {
  const { tab } = visitor;
  for (const end = Date.now() + patience; ;) {
    const left = isOfSite(visitor) ? await look() : nothing;
    if (left && !left.isShown && left.controls.length === 0) return nothing;
    if (left && Date.now() >= end) return left;
    await tab.page.waitForTimeout(100);
  }

  /** Null while the page navigates to sign-in. */
  async function look(): Promise<Left | null> {
    try {
      const text = await callProbe(tab, 'shownText');
      const controls = await callProbe(tab, 'controls');
      return {
        isShown: marksIn(text).has(mark),
        controls: controls.filter((control) => isUsable(control) && sdk.leads(control)),
      };
    } catch (error) {
      return nullIfNavigated(error);
    }
  }
}

function isUsable({ isEnabled, isVisible }: Control): boolean {
  return isEnabled && isVisible;
}

function isOfSite({ tab }: BrowserVisitor): boolean {
  return !tab.path().startsWith('/__auth/');
}
