/** The account pages in a frame: what their forms show, and how they fit a phone. The site's own flows are in `e2e/`. */
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
import { expect, test, type Framed } from '../../e2e/fixtures';
import type { Platform } from '../../e2e/platform';
import {
  mailedPath,
  main,
  newPerson,
  open,
  refusal,
  section,
  signIn,
  signUpByHttp,
  submitSignUp,
} from '../../e2e/flows/accounts/person';

test('signs up from a page that needs an account, with a password of emoji, and returns there', async ({
  framed,
  platform,
}) => {
  const ada = { ...newPerson('😀'.repeat(80)), password: '😀'.repeat(65) };
  await framed.open('/settings');
  await (await framed.frame()).waitForURL(/\/sign-in\?return=%2Fsettings$/);
  await framed.hydrated();
  const page = main(framed);
  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill(ada.name);
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  const mailed = await mailedPath(platform, ada.email);
  const tab = await framed.page.context().newPage();
  await tab.goto(platform.siteOrigin + mailed);
  await tab.getByRole('button', { name: 'Confirm' }).click();
  await expect(tab.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await tab.close();

  await page.getByRole('link', { name: 'sign in', exact: true }).click();
  await page.getByLabel('E-mail').fill(`\u200b${ada.email}\u00a0`);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(page.getByText(`The site account of ${ada.name}`)).toBeVisible();
});

test('shows errors at their fields, and focuses the first', async ({
  framed,
  platform,
  browserLog,
}) => {
  browserLog.allow(refusal);
  const nobody = { name: 'Ada', email: 'ada@nowhere', password: 'too short' };
  const page = await submitSignUp(framed, nobody);
  await expect(page.getByText('Enter an e-mail address')).toBeVisible();
  await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toHaveValue('Ada');

  await open(framed, '/sign-in');
  await page.getByLabel('E-mail').fill(newPerson().email);
  await page.getByLabel('Password').fill('a wrong pass phrase');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/Wrong e-mail address or password/);
  expect(platform.mailbox.messages()).toEqual([]);
});

test('changes name, address and password, and ends the session of another browser', async ({
  framed,
  platform,
  browserLog,
}) => {
  browserLog.allow(refusal);
  const { ada, sessions } = await withTwoSessions(framed, platform);
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByText('this browser')).toHaveCount(1);
  await sessions.getByRole('button', { name: 'End', exact: true }).click();
  await expect(sessions.getByRole('status')).toHaveText('The session has ended.');
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(sessions.getByRole('status')).toBeFocused();

  const name = section(framed, 'Name');
  await name.getByLabel('Name').fill('Ada Lovelace');
  await name.getByRole('button').click();
  await expect(main(framed).getByText('The site account of Ada Lovelace')).toBeVisible();
  await expect(name.getByRole('status')).toHaveText('Saved.');
  await expect(name.getByRole('button')).toBeFocused();
  await expect(name.getByLabel('Name')).toHaveValue('Ada Lovelace');

  const password = 'another long pass phrase';
  const secret = section(framed, 'Password');
  await secret.getByLabel('Current password').fill(ada.password);
  await secret.getByLabel('New password').fill(password);
  await secret.getByRole('button').click();
  await expect(secret.getByRole('status')).toHaveText('Your password has been changed.');
  await expect(secret.getByLabel('New password')).toHaveValue('');
  await expect(secret.getByRole('button')).toBeFocused();

  const email = newPerson().email;
  const address = section(framed, 'E-mail address');
  await address.getByLabel('New e-mail').fill(email);
  await address.getByLabel('Your password').fill(ada.password);
  await address.getByRole('button').click();
  await expect(address.getByText('Wrong password.')).toBeVisible();
  await address.getByLabel('Your password').fill(password);
  await address.getByRole('button').click();
  await expect(address.getByRole('status')).toContainText(`We have sent a link to ${email}`);
  await open(framed, await mailedPath(platform, email));
  await main(framed).getByRole('button', { name: 'Confirm' }).click();
  await expect(main(framed).getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await open(framed, '/settings');
  await expect(main(framed).getByText(email)).toBeVisible();
});

test('the focus of a button that was disabled while its request ran goes to the status', async ({
  framed,
  platform,
}) => {
  const { sessions } = await withTwoSessions(framed, platform);
  const end = sessions.getByRole('button', { name: 'End', exact: true });
  await framed.page.route('**/settings.data*', async (route) => {
    if (route.request().method() === 'POST') {
      await end.evaluate((button: HTMLButtonElement) => (button.disabled = true));
      await expect.poll(() => end.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    }
    await route.continue();
  });
  await end.click();
  await expect(sessions.getByRole('status')).toBeFocused();
});

/** Pages that only mails link to. The proof covers all others. */
test('pages linked from mails fit a phone, and axe finds no problem, in light and in dark', async ({
  framed,
}) => {
  await framed.page.setViewportSize({ width: 320, height: 700 });
  for (const path of ['/reset-password?token=x', '/verify-email?token=x']) {
    await open(framed, path);
    await expectFit(framed);
  }
});

/** At this narrow width nothing overflows, and axe finds no problem, in light and in dark. */
async function expectFit(framed: Framed): Promise<void> {
  const frame = await framed.frame();
  const overflow = await frame.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  expect(await complaintsInLightAndDark(frame)).toEqual([]);
}

/** A browser after losing its cookies: its old session still exists. */
async function withTwoSessions(framed: Framed, platform: Platform) {
  const ada = newPerson();
  await signUpByHttp(platform, ada);
  await signIn(framed, ada);
  await framed.page.context().clearCookies();
  await signIn(framed, ada);
  return { ada, sessions: section(framed, 'Sessions') };
}
