// auth: platform
/** Flows that hold for any site in the platform's frame, whatever its pages. */
import { expect, test } from '../fixtures';
import personas from '../platform/personas.json' with { type: 'json' };

const somebody = personas.find(({ profile }) => profile.name);
if (!somebody?.profile.name)
  throw new Error('No persona in e2e/platform/personas.json has a name.');
const {
  id,
  profile: { name },
} = somebody;

test('signs in and out in the frame, and returns to the same page [W05 W06]', async ({
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
