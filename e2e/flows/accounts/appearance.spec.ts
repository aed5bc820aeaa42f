/** The pages of site accounts for everybody: a narrow frame, light and dark, and no script. */
import { expect, test, type Framed } from '../../fixtures';
import { complaintsInLightAndDark } from '../../harness/browser/axe';
import { mailedPath, newPerson, open, refusal, section, signIn, signUp } from './person';

/** As a mail leads to them: the proof looks at all the others. */
const pages = ['/reset-password?token=x', '/verify-email?token=x'];

async function expectFit(framed: Framed): Promise<void> {
  const frame = await framed.frame();
  const overflow = await frame.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  expect(await complaintsInLightAndDark(frame)).toEqual([]);
}

test('what a mail leads to fits a phone, and axe finds nothing, in light and in dark', async ({
  framed,
}) => {
  await framed.page.setViewportSize({ width: 320, height: 700 });
  for (const path of pages) {
    await open(framed, path);
    await expectFit(framed);
  }
});

test('so do the settings of somebody with a long name, and what they say of a mistake', async ({
  framed,
  platform,
  calm,
}) => {
  calm.allow(refusal);
  const ada = newPerson('Ada Maximiliane Wolfeschlegelsteinhausenbergerdorff');
  await framed.page.setViewportSize({ width: 320, height: 700 });
  await signUp(framed, platform, ada);
  await signIn(framed, ada);
  const last = section(framed, 'Delete the account');
  await last.getByRole('textbox').fill('wrong');
  await last.getByRole('button').click();
  await expect(last.getByText('This is not your password.')).toBeVisible();
  await expectFit(framed);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('signs up, confirms, signs in and out', async ({ page, platform, calm }) => {
    // This is how the browser tells that it runs no script.
    calm.allow(/^request: csp .*\.js\)$/);
    calm.allow(refusal);
    const ada = newPerson();
    await page.goto(`${platform.siteUrl}/sign-up`);
    await page.getByLabel('Name').fill(ada.name);
    await page.getByLabel('E-mail').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Look into your mail' })).toBeVisible();
    await page.goto(platform.siteUrl + (await mailedPath(platform, ada.email)));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('main').getByRole('link', { name: 'sign in' }).click();
    await page.getByLabel('E-mail').fill(ada.email);
    await page.getByLabel('Password').fill('a wrong pass phrase');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText(/do not belong together/);
    await expect(page.getByLabel('E-mail')).toHaveValue(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(ada.email)).toBeVisible();
    await page.goto(`${platform.siteUrl}/sign-out`);
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${platform.siteUrl}/settings`);
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});
