/** axe finds no violations in the platform's page and in every page of the site in its frame. */
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
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

const devices = {
  desktop: { viewport: { width: 1_400, height: 900 }, scenes: [...siteScenes, ...studio] },
  phone: {
    viewport: { width: 390, height: 844 },
    scenes: [...siteScenes, ...studio, ...accountScenes, ...notesScenes],
  },
};

for (const [device, { viewport, scenes }] of Object.entries(devices)) {
  test.describe(device, () => {
    test.use({ viewport });
    for (const { name, show } of scenes) {
      test(`${name}: no violation, light and dark [W17 W26]`, async ({
        framed,
        platform,
        signedIn,
        browserLog,
      }) => {
        browserLog.allow(provoked);
        await show({ framed, platform, signedIn });
        expect(await complaintsInLightAndDark(await framed.frame())).toEqual([]);
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
      expect(await complaintsInLightAndDark(framed.page.mainFrame())).toEqual([]);
    });
  });
}

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
