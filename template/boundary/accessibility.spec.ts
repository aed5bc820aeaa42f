/** axe finds no violations in the platform's page and in every page of the site in its frame. */
import { complaintsInLightAndDark } from '../../e2e/harness/browser/axe';
import { expect, test } from '../../e2e/fixtures';
import { accountScenes } from '../scenes/account-scenes';
import { notesScenes } from '../scenes/notes-scenes';
import { provoked } from '../scenes/scene';
import { siteScenes } from '../scenes/site-scenes';
import { studioScenes } from '../scenes/studio-scenes';

/**
 * In forced colors axe compares colors that the browser does not show. The same page is among the others, and
 * `e2e/flows/studio/looks.spec.ts` tests its forced colors.
 */
const studio = studioScenes.filter(({ name }) => !name.endsWith('in forced colors'));

const phone = { width: 390, height: 844 };
const desktop = { width: 1_400, height: 900 };
const scenes = [
  ...[...siteScenes, ...studio].map((scene) => ({ ...scene, viewports: [phone, desktop] })),
  ...[...accountScenes, ...notesScenes].map((scene) => ({ ...scene, viewports: [phone] })),
];

test.use({ viewport: phone });

for (const { name, show, viewports } of scenes) {
  const title = `${name}: no violation at ${viewports.map(({ width }) => width).join(' and ')} px, light and dark [W17 W26]`;
  test(title, async ({ framed, platform, signedIn, calm }) => {
    calm.allow(provoked);
    await show({ framed, platform, signedIn });
    for (const viewport of viewports) {
      await framed.page.setViewportSize(viewport);
      expect(await complaintsInLightAndDark(await framed.frame())).toEqual([]);
    }
  });
}

test('the platform’s own page: no violation, light and dark [W17]', async ({
  framed,
  platform,
}) => {
  await platform.faults.set('user', { kind: 'delay', ms: 10 });
  await framed.page.reload();
  await framed.page.locator('details').evaluateAll((cards) => {
    for (const card of cards) card.setAttribute('open', '');
  });
  await expect(framed.page.locator('#entries > *').first()).toBeVisible();
  for (const viewport of [phone, desktop]) {
    await framed.page.setViewportSize(viewport);
    expect(await complaintsInLightAndDark(framed.page.mainFrame())).toEqual([]);
  }
});

test('detects violations inside the frame', async ({ framed }) => {
  // Elements added before hydration would be a mismatch, upon which React renders the page again without them.
  await framed.hydrated();
  const frame = await framed.frame();
  await frame.evaluate(() => {
    const pale = document.createElement('p');
    pale.textContent = 'Nobody reads this in the dark';
    pale.style.color = 'light-dark(black, #222)';
    document.querySelector('main')?.append(document.createElement('button'), new Image(), pale);
  });
  expect(await complaintsInLightAndDark(frame)).toEqual([
    expect.stringContaining('button-name'),
    expect.stringContaining('image-alt'),
    expect.stringContaining('color-contrast'),
  ]);
});
