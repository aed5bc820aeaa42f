/** Flows of the header, which every page has. */
import { expect, test } from '../fixtures';
import personas from '../personas.json' with { type: 'json' };

const somebody = personas.find(({ profile }) => profile.name);
if (!somebody?.profile.name) throw new Error('No persona in e2e/personas.json has a name.');
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
  // The menu repeats the name.
  await expect(banner.getByText(name).first()).toBeVisible();
  expect(await framed.path()).toBe('/?mood=stormy&next=//fine.test/%3Fa%26b');
  await signOut();
  expect(await framed.path()).toBe('/');
  await expect(banner.getByText(name)).toHaveCount(0);
});

test(
  'the menu of an account opens by the keyboard, closes by Escape and once it is left, and leads to its page',
  { tag: '@one-mode' },
  async ({ framed, signedIn }) => {
    await signedIn(id, '/');
    await framed.hydrated();
    const { keyboard } = framed.page;
    const banner = framed.site.getByRole('banner');
    const menu = banner.locator('details').filter({ hasText: name });
    const button = menu.locator('summary');
    const signOutButton = menu.getByRole('button', { name: 'Sign out' });
    await button.focus();
    await keyboard.press('Enter');
    await expect(signOutButton).toBeVisible();
    await keyboard.press('Escape');
    await expect(signOutButton).toBeHidden();
    await expect(button).toBeFocused();

    await keyboard.press('Enter');
    await keyboard.press('Tab');
    const link = menu.getByRole('link', { name: 'Account details' });
    await expect(link).toBeFocused();
    await framed.site.getByRole('main').click({ position: { x: 1, y: 1 } });
    await expect(signOutButton).toBeHidden();

    await button.click();
    await link.click();
    await expect(framed.site.getByRole('heading', { level: 1 })).toHaveText('Platform account');
    await expect(signOutButton).toBeHidden();
  },
);
