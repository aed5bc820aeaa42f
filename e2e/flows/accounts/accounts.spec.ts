/**
 * A site account in the platform's frame, from sign-up to deletion, with and without JavaScript.
 */
import { readFile } from 'node:fs/promises';
import { membersPage } from '../../../app/accounts/return-address';
import { expect, test } from '../../fixtures';
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
  submitCredentials,
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
  await submitCredentials(main(framed), ada);
  await (await framed.frame()).waitForURL(platform.siteOrigin + membersPage);

  await open(framed, '/settings');
  await expect(main(framed).getByText(ada.email)).toBeVisible();
  await open(framed, '/sign-out');
  await main(framed).getByRole('button', { name: 'Sign out' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  await framed.open('/settings');
  await (await framed.frame()).waitForURL(/\/sign-in\?/);
});

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

test('exports the data, then deletes the account', async ({ framed, platform, browserLog }) => {
  browserLog.allow(refusal);
  const ada = newPerson('Ada Maximiliane Wolfeschlegelsteinhausenbergerdorff');
  await signUpByHttp(platform, ada);
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
  await last.getByLabel('Your password').fill(ada.password);
  await last.getByRole('button', { name: 'Delete permanently' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  const page = await open(framed, '/sign-in');
  await submitCredentials(page, ada);
  await expect(page.getByRole('alert')).toBeVisible();
});

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
      const form = page.getByRole('main');
      await page.goto(`${platform.siteOrigin}/sign-up`);
      await page.getByLabel('Name').fill(ada.name);
      await submitCredentials(form, ada, 'Sign up');
      await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
      await page.goto(platform.siteOrigin + (await mailedPath(platform, ada.email)));
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('main').getByRole('link', { name: 'sign in' }).click();
      await submitCredentials(form, { ...ada, password: 'a wrong pass phrase' });
      await expect(page.getByRole('alert')).toHaveText(/Wrong e-mail address or password/);
      await expect(page.getByLabel('E-mail')).toHaveValue(ada.email);
      await submitCredentials(form, ada);
      await page.waitForURL(platform.siteOrigin + membersPage);
      await page.goto(`${platform.siteOrigin}/sign-out`);
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
      await page.goto(`${platform.siteOrigin}/settings`);
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    },
  );
});
