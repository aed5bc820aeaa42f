/** What holds for every site in the platform's frame, whatever its pages are. */
import { site as config } from '../../app/site.config';
import { complaintsInLightAndDark } from '../harness/browser/axe';
import { expect, test } from '../fixtures';
import personas from '../platform/personas.json' with { type: 'json' };

const somebody = personas.find(({ profile }) => profile.name);
if (!somebody?.profile.name) throw new Error('Nobody in e2e/platform/personas.json has a name.');
const {
  id,
  profile: { name },
} = somebody;

test('signs in and out in the frame, and comes back to the page it left [W05 W06]', async ({
  framed,
  login,
  signOut,
}) => {
  await framed.open('/?mood=stormy&next=//fine.test/%3Fa%26b');
  const banner = framed.site.getByRole('banner');
  await expect(banner.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await login(id);
  await expect(banner.getByText(name)).toBeVisible();
  expect(await framed.path()).toBe('/?mood=stormy&next=//fine.test/%3Fa%26b');
  await signOut();
  expect(await framed.path()).toBe('/');
  await expect(banner.getByText(name)).toHaveCount(0);
});

for (const { to, label } of config.menu) {
  test(`${label}: no complaint, signed out and signed in, light and dark, on a phone and on a desk [W16 W17]`, async ({
    framed,
    signedIn,
  }) => {
    const look = async () => {
      await framed.hydrated();
      await expect(framed.site.getByRole('heading', { level: 1 })).toBeVisible();
      for (const width of [390, 1280]) {
        await framed.page.setViewportSize({ width, height: 900 });
        expect(await complaintsInLightAndDark(await framed.frame())).toEqual([]);
      }
    };
    await framed.open(to);
    // A page for people who are signed in sends a visitor to sign in, which is the platform's page.
    if ((await framed.path()).startsWith(to)) await look();
    await signedIn(id, to);
    await look();
  });
}
