/** Tests the accessibility of a page: axe, a narrow screen and keyboard access. */
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
import { deskViewport, type Tab } from './proof-browser.ts';
import { callProbe, rest, retryOnNavigation, withTimeout } from './probe.ts';

export interface Usability {
  complaints: string[];
  /** The element that makes a narrow page scroll horizontally; null if none does. */
  sideways: { width: number; element: string } | null;
  /** Names of controls that the Tab key does not reach. */
  unreached: string[];
}

/** CSS pixels: WCAG 2.2, 1.4.10. */
const narrow = 320;

export async function testUsability(tab: Tab): Promise<Usability> {
  // First, before anything has had the focus.
  const unreached = await walkByKeyboard(tab);
  const { page, frame } = tab;
  const complaints = await retryOnNavigation(tab, () => complaintsInLightAndDark(frame), 60_000);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ ...deskViewport, width: narrow });
  await rest(tab, 30, 500);
  const sideways = await callProbe(tab, 'sideways');
  await page.setViewportSize(deskViewport);
  return { complaints, sideways, unreached };
}

async function walkByKeyboard(tab: Tab): Promise<string[]> {
  const { page, onThisMachine } = tab;
  const controls = await callProbe(tab, 'watchFocus');
  if (controls === 0) return [];
  await page.locator('iframe').focus();
  const press = async (times: number) => {
    for (let pressed = 0; pressed < times; pressed += 1) {
      // A key press is never acknowledged if the frame is replaced meanwhile.
      await withTimeout(page.keyboard.press('Tab'), onThisMachine(5_000)).catch(() => undefined);
    }
  };
  await press(controls);
  let unreached = await callProbe(tab, 'unreached');
  // Scroll containers and the platform's page are Tab stops too.
  for (let more = 0; more < 3 && unreached.length > 0; more += 1) {
    await press(4);
    unreached = await callProbe(tab, 'unreached');
  }
  return unreached;
}
