/** Looks at a signed-in visitor's page at two moments: before `/api/user` has answered, and once the session has ended. */
import type { Platform } from '../../harness/platform';
import { marksIn, type Person } from '../people/people';
import { operateControls } from './operate';
import { ask, isOfLeftPage, type Control } from './probe';
import type { Lane } from './proof-browser';
import type { AskedRequest } from './traffic';

export interface WatchedSession {
  /** Controls that lead to the SDK before the browser knows who is signed in (W16). */
  early: Control[];
  /** What stays after the session has ended and the visitor has come back to the page (W18). */
  left: Left;
}

export interface Left {
  /** Whether words of the person can still be read. */
  isShown: boolean;
  /** Controls that lead to the SDK. */
  controls: Control[];
}

export interface SdkUse {
  /** Whether the markup says that a control leads to the SDK. */
  leads: (control: Control) => boolean;
  /** Whether a request that a control's script makes uses the SDK. */
  asks: (request: AskedRequest) => boolean;
}

const relay = '/api/user';

/** Milliseconds for a page to notice that the session has ended, on top of the time that it takes to open. */
const noticedWithin = 3_000;

const nothing: Left = { isShown: false, controls: [] };

/**
 * @param address of a page that uses the SDK
 * @returns null where the page goes elsewhere by itself, and cannot be asked
 */
export async function watchSession(
  lane: Lane,
  platform: Platform<unknown>,
  person: Person,
  address: string,
  sdk: SdkUse,
): Promise<WatchedSession | null> {
  try {
    return await watch(lane, platform, person, address, sdk);
  } catch (error) {
    if (!lane.tab.frame.isDetached()) return ignoreLeftPage(error);
    await lane.replaceTab();
    return null;
  }
}

async function watch(
  lane: Lane,
  { sessions }: Platform<unknown>,
  person: Person,
  address: string,
  sdk: SdkUse,
): Promise<WatchedSession> {
  const { tab } = lane;
  const early = await whileHeld(lane, async () => {
    const problem = await tab.open(sessions.switchPath(person.id, address));
    return problem === null && isOfSite(lane) ? listUsable(lane, address, sdk) : [];
  });
  const begun = Date.now();
  if ((await tab.open(address)) !== null || !isOfSite(lane)) return { early, left: nothing };
  const patience = noticedWithin + (Date.now() - begun);
  await signOutElsewhere(lane);
  await ask(tab.frame, 'comeBack').catch(ignoreLeftPage);
  return { early, left: await untilNothingLeft(lane, person, sdk, patience) };
}

/** Runs `look` while `/api/user` gives no answer. */
async function whileHeld<T>({ context, traffic }: Lane, look: () => Promise<T>): Promise<T> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const isRelay = ({ pathname }: URL): boolean => pathname === relay;
  traffic.held = relay;
  await context.route(isRelay, async (route) => {
    await released;
    // Its page may be gone.
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

async function listUsable(lane: Lane, address: string, sdk: SdkUse): Promise<Control[]> {
  const listed = await ask(lane.tab.frame, 'controls');
  const byMarkup = listed.filter((control) => isUsable(control) && sdk.leads(control));
  const operated = await operateControls(
    lane,
    address,
    ({ kind, target }) => target === null && kind !== 'text' && kind !== 'choice',
  );
  const byScript = operated
    .filter(({ landed, asked }) => landed === null && asked.some(sdk.asks))
    .map(({ control }) => control);
  return [...byMarkup, ...byScript];
}

/** Signs out in another tab: the page that is open hears nothing of it. */
async function signOutElsewhere({ openTab }: Lane): Promise<void> {
  const other = await openTab();
  await other.open('/__auth/logout?return=%2Ffavicon.ico');
  await other.page.close();
}

/** Looks until nothing of the visitor's is left, or the time is over. */
async function untilNothingLeft(
  lane: Lane,
  { mark }: Person,
  sdk: SdkUse,
  patience: number,
): Promise<Left> {
  const { frame, page } = lane.tab;
  for (const end = Date.now() + patience; ;) {
    const left = isOfSite(lane) ? await look() : nothing;
    if (left && !left.isShown && left.controls.length === 0) return nothing;
    if (left && Date.now() >= end) return left;
    await page.waitForTimeout(100);
  }

  /** Null while the page leaves for sign-in. */
  async function look(): Promise<Left | null> {
    try {
      const text = await ask(frame, 'shownText');
      const controls = await ask(frame, 'controls');
      return {
        isShown: marksIn(text).has(mark),
        controls: controls.filter((control) => isUsable(control) && sdk.leads(control)),
      };
    } catch (error) {
      return ignoreLeftPage(error);
    }
  }
}

function isUsable({ isEnabled, isVisible }: Control): boolean {
  return isEnabled && isVisible;
}

function isOfSite({ tab }: Lane): boolean {
  return !tab.path().startsWith('/__auth/');
}

function ignoreLeftPage(error: unknown): null {
  if (!isOfLeftPage(error)) throw error;
  return null;
}
