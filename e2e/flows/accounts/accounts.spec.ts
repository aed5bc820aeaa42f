/**
 * A site account in the platform's frame, from sign-up to deletion, with and without JavaScript.
 */
import { readFile } from 'node:fs/promises';
import { membersPage } from '../../../app/accounts/return-address';
import { expect, test, type Framed } from '../../fixtures';
import { complaintsInLightAndDark } from '@gatehouse/simulator/browser';
import {
  mailedPath,
  main,
  newPerson,
  open,
  refusal,
  section,
  signIn,
  signUp,
  signUpByHttp,
  submitSignUp,
} from './person';

test('signs up, confirms by mail, sees the settings, and signs out', async ({
  framed,
  platform,
}) => {
  const ada = newPerson();
  await framed.open('/settings');
  await (await framed.frame()).waitForURL(/\/sign-in\?return=%2Fsettings$/);
  await signUp(framed, platform, ada);
  await main(framed).getByRole('link', { name: 'sign in' }).click();
  await main(framed).getByLabel('E-mail').fill(ada.email);
  await main(framed).getByLabel('Password').fill(ada.password);
  await main(framed).getByRole('button', { name: 'Sign in' }).click();
  await (await framed.frame()).waitForURL(platform.siteOrigin + membersPage);

  await open(framed, '/settings');
  await expect(main(framed).getByText(ada.email)).toBeVisible();
  await open(framed, '/sign-out');
  await main(framed).getByRole('button', { name: 'Sign out' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  await framed.open('/settings');
  await (await framed.frame()).waitForURL(/\/sign-in\?/);
});

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

test(
  'shows errors at their fields, and focuses the first',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, platform, browserLog }) => {
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
  },
);

test('sets a new password by mail', async ({ framed, platform }) => {
  const ada = newPerson();
  await signUpByHttp(platform, ada);
  const [{ id } = { id: 0 }] = platform.mailbox.messages(ada.email);
  const page = await open(framed, '/reset-password');
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('status')).toHaveText(/we have sent it an e-mail/);
  await open(framed, await mailedPath(platform, ada.email, id));
  const password = 'another long pass phrase';
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  // The form is gone, and with it the focused button.
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeFocused();
  await signIn(framed, { ...ada, password });
});

test(
  'changes name, address and password, and ends the session of another browser',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, platform, browserLog }) => {
    browserLog.allow(refusal);
    const ada = newPerson();
    await signUpByHttp(platform, ada);
    await signIn(framed, ada);
    // The same browser after losing its cookies: its old session still exists.
    await framed.page.context().clearCookies();
    await signIn(framed, ada);
    const sessions = section(framed, 'Sessions');
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
  },
);

test('exports the data, then deletes the account', async ({ framed, platform, browserLog }) => {
  browserLog.allow(refusal);
  const ada = newPerson('Ada Maximiliane Wolfeschlegelsteinhausenbergerdorff');
  await signUpByHttp(platform, ada);
  await framed.page.setViewportSize({ width: 320, height: 700 });
  await signIn(framed, ada);
  const saved = framed.page.waitForEvent('download');
  await section(framed, 'Your data').getByRole('button', { name: 'Download' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('account.json');
  const data: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data).toMatchObject({ account: { name: ada.name, email: ada.email }, sessions: [{}] });

  const last = section(framed, 'Delete account');
  await last.getByLabel('Your password').fill('wrong');
  await last.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(last.getByText('Wrong password.')).toBeVisible();
  await expectFit(framed);
  await last.getByLabel('Your password').fill(ada.password);
  await last.getByRole('button', { name: 'Delete permanently' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  const page = await open(framed, '/sign-in');
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});

/** Pages that only mails link to. The proof covers all others. */
test(
  'pages linked from mails fit a phone, and axe finds no problem, in light and in dark',
  { tag: ['@long', '@one-mode'] },
  async ({ framed }) => {
    await framed.page.setViewportSize({ width: 320, height: 700 });
    for (const path of ['/reset-password?token=x', '/verify-email?token=x']) {
      await open(framed, path);
      await expectFit(framed);
    }
  },
);

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'signs up, confirms, signs in and out',
    { tag: '@long' },
    async ({ page, platform, browserLog }) => {
      // The browser logs this because scripts are disabled.
      browserLog.allow(/^request: csp .*\.js\)$/);
      browserLog.allow(refusal);
      const ada = newPerson();
      await page.goto(`${platform.siteOrigin}/sign-up`);
      await page.getByLabel('Name').fill(ada.name);
      await page.getByLabel('E-mail').fill(ada.email);
      await page.getByLabel('Password').fill(ada.password);
      await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
      await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
      await page.goto(platform.siteOrigin + (await mailedPath(platform, ada.email)));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('main').getByRole('link', { name: 'sign in' }).click();
      await page.getByLabel('E-mail').fill(ada.email);
      await page.getByLabel('Password').fill('a wrong pass phrase');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await expect(page.getByRole('alert')).toHaveText(/Wrong e-mail address or password/);
      await expect(page.getByLabel('E-mail')).toHaveValue(ada.email);
      await page.getByLabel('Password').fill(ada.password);
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(platform.siteOrigin + membersPage);
      await page.goto(`${platform.siteOrigin}/sign-out`);
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
      await page.goto(`${platform.siteOrigin}/settings`);
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    },
  );
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
