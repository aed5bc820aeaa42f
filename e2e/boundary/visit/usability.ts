/** Whether everybody can use a page: what axe says, a narrow screen, the keyboard alone. */
import { complaintsInLightAndDark } from '../../harness/browser/axe';
import { deskViewport, type Tab } from './proof-browser';
import { again, ask, inTime, rest } from './probe';

export interface Usability {
  complaints: string[];
  /** What is wider than a narrow screen. */
  sideways: { width: number; element: string } | null;
  /** Controls that the Tab key never came to, by name. */
  unreached: string[];
}

/** CSS pixels: WCAG 2.2, 1.4.10. */
const narrow = 320;

export async function lookForEverybody(tab: Tab): Promise<Usability> {
  // First, while nothing has had the focus.
  const unreached = await walkByKeyboard(tab);
  const { page, frame } = tab;
  const complaints = await again(frame, () => complaintsInLightAndDark(frame), 60_000);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ ...deskViewport, width: narrow });
  await rest(frame, 30, 500);
  const sideways = await ask(frame, 'sideways');
  await page.setViewportSize(deskViewport);
  return { complaints, sideways, unreached };
}

async function walkByKeyboard({ page, frame }: Tab): Promise<string[]> {
  const controls = await ask(frame, 'watchFocus');
  if (controls === 0) return [];
  await page.locator('iframe').focus();
  const press = async (times: number) => {
    for (let press = 0; press < times; press += 1) {
      // A key that comes while the frame is replaced is acknowledged by nobody.
      await inTime(page.keyboard.press('Tab'), 5_000).catch(() => undefined);
    }
  };
  await press(controls);
  let unreached = await ask(frame, 'unreached');
  // Elements that scroll and the platform's page are Tab stops, too.
  for (let more = 0; more < 3 && unreached.length > 0; more += 1) {
    await press(4);
    unreached = await ask(frame, 'unreached');
  }
  return unreached;
}
