/** axe finds no violations in the platform's page and in every page of the site in its frame. */
import { complaintsInLightAndDark } from '../../e2e/harness/browser/axe';
import { expect, test, type Framed } from '../../e2e/fixtures';
import type { Platform } from '../../e2e/platform';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { httpVisitor } from '../../e2e/harness/browser/visitor-http';

interface Scene {
  name: string;
  show: (parts: {
    framed: Framed;
    platform: Platform;
    signedIn: (persona: string, path: string) => Promise<void>;
  }) => Promise<void>;
}

const scenes: Scene[] = [
  {
    name: 'home, signed out',
    show: async ({ framed: { site } }) => {
      await expect(site.getByRole('region', { name: 'Signed out' })).toBeVisible();
    },
  },
  {
    name: 'home, signed in',
    show: async ({ framed: { site }, signedIn }) => {
      await signedIn('xochitl', '/');
      await expect(site.getByText('Welcome back')).toBeVisible();
    },
  },
  {
    name: 'home, with the platform unreachable',
    show: async ({ framed, platform }) => {
      await platform.faults.set('user', { kind: 'reset' });
      await framed.open('/');
      await expect(framed.site.getByText('The platform is not responding')).toBeVisible();
    },
  },
  {
    name: 'studio, signed out',
    show: async ({ framed }) => {
      await framed.open('/studio');
      await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
    },
  },
  {
    name: 'studio, empty',
    show: async ({ framed, signedIn }) => {
      await signedIn('zoe', '/studio');
      await expect(framed.site.getByText('Nothing here yet.')).toBeVisible();
    },
  },
  {
    name: 'studio, with pictures in every state',
    show: async ({ framed, platform, signedIn }) => {
      platform.clock.freeze();
      const ada = httpVisitor(platform, 'ada');
      const ask = (prompt: string) => makePicture(ada, prompt);
      await ask('A finished kite');
      await ask('Fail please');
      platform.clock.advance(3_000);
      await ask('A half drawn kite');
      platform.clock.advance(1_500);
      await ask('A kite that waits');
      await signedIn('ada', '/studio');
      await expect(framed.site.getByRole('button', { name: 'View' })).toBeEnabled();
      await expect(
        framed.site.getByText('Something went wrong. Nothing was charged'),
      ).toBeVisible();
    },
  },
  {
    name: 'studio, with a picture opened',
    show: async ({ framed, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      const ada = httpVisitor(platform, 'ada');
      await makePicture(ada, 'A finished kite');
      await signedIn('ada', '/studio');
      await framed.site.getByRole('button', { name: 'View' }).click();
      await expect(framed.site.getByRole('dialog').getByRole('img')).toBeVisible();
    },
  },
  {
    name: 'studio, with a refused prompt',
    show: async ({ framed, platform, signedIn }) => {
      platform.state.generations.setDuration(0);
      await signedIn('ada', '/studio');
      await framed.site.getByRole('textbox').fill('Refuse please');
      await framed.site.getByRole('button', { name: 'Generate' }).click();
      await expect(framed.site.getByText('The platform does not allow this prompt.')).toBeVisible();
    },
  },
  {
    name: 'studio, with a toast',
    show: async ({ framed, platform, signedIn }) => {
      platform.clock.freeze();
      await signedIn('ada', '/studio');
      await framed.site.getByRole('textbox').fill('A kite');
      await framed.site.getByRole('button', { name: 'Generate' }).click();
      // A toast does not time out while the pointer is over it.
      await framed.site.getByText('Submitted.').hover();
    },
  },
  {
    name: 'account',
    show: async ({ framed, signedIn }) => {
      await signedIn('xochitl', '/account');
      await expect(framed.site.getByRole('heading', { name: 'Account' })).toBeVisible();
    },
  },
  {
    name: 'no such page',
    show: async ({ framed }) => {
      await framed.open('/no-such-page');
      await expect(framed.site.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    },
  },
  {
    name: 'a page that failed',
    show: async ({ framed, platform }) => {
      await platform.faults.set('user', { kind: 'status', status: 503 });
      await framed.open('/account');
      await expect(framed.site.getByRole('link', { name: 'Try again' })).toBeVisible();
    },
  },
  {
    name: 'the platform’s sign-in',
    show: async ({ framed }) => {
      await framed.open('/__auth/login?return=/');
      await expect(framed.site.locator('button[value="ada"]')).toBeVisible();
    },
  },
];

const devices = {
  desktop: { width: 1_400, height: 900 },
  phone: { width: 390, height: 844 },
};

for (const [device, viewport] of Object.entries(devices)) {
  test.describe(device, () => {
    test.use({ viewport });
    test(`has no violation on any page, light and dark on a ${device} [W17 W26]`, async ({
      framed,
      platform,
      signedIn,
      calm,
    }) => {
      test.setTimeout(240_000);
      calm.allow(/status of (402|404|422|50[0-9])/);
      for (const { name, show } of scenes) {
        await test.step(name, async () => {
          // A page of the site would notice the end of its session upon the reset, and navigate.
          await framed.open('/favicon.svg');
          await framed.page.mouse.move(0, 0);
          await platform.reset();
          await framed.open('/');
          await show({ framed, platform, signedIn });
          expect(await complaintsInLightAndDark(await framed.frame()), name).toEqual([]);
        });
      }
      await test.step('the platform’s own page', async () => {
        await platform.faults.set('user', { kind: 'delay', ms: 10 });
        await framed.page.reload();
        await framed.page.locator('details').evaluateAll((cards) => {
          for (const card of cards) card.setAttribute('open', '');
        });
        await expect(framed.page.locator('#entries > *').first()).toBeVisible();
        expect(await complaintsInLightAndDark(framed.page.mainFrame())).toEqual([]);
      });
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
