/** A site account in the platform's frame, from signing up to deleting it. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '../../fixtures';
import { mailedPath, main, newPerson, open, refusal, section, signIn, signUp } from './person';

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
  await expect(main(framed).getByText(ada.email)).toBeVisible();

  await open(framed, '/settings');
  await expect(main(framed).getByText(ada.email)).toBeVisible();
  await open(framed, '/sign-out');
  await main(framed).getByRole('button', { name: 'Sign out' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  await framed.open('/settings');
  await (await framed.frame()).waitForURL(/\/sign-in\?/);
});

test('says beside each field what is wrong with it, and puts the focus on the first', async ({
  framed,
  platform,
  calm,
}) => {
  calm.allow(refusal);
  const page = await open(framed, '/sign-up');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('E-mail').fill('ada@nowhere');
  await page.getByLabel('Password').fill('too short');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Enter an e-mail address')).toBeVisible();
  await expect(page.getByText('Use at least 10 characters.')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toHaveValue('Ada');

  await open(framed, '/sign-in');
  await page.getByLabel('E-mail').fill(newPerson().email);
  await page.getByLabel('Password').fill('a wrong pass phrase');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText(/do not belong together/);
  expect(platform.mailbox.messages()).toEqual([]);
});

test('sets a new password by mail', async ({ framed, platform }) => {
  const ada = newPerson();
  await signUp(framed, platform, ada);
  const [{ id } = { id: 0 }] = platform.mailbox.messages(ada.email);
  const page = await open(framed, '/reset-password');
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status')).toHaveText(/a mail is on its way/);
  await open(framed, await mailedPath(platform, ada.email, id));
  const password = 'another long pass phrase';
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await signIn(framed, { ...ada, password });
});

test('changes name, address and password', async ({ framed, platform, calm }) => {
  calm.allow(refusal);
  const ada = newPerson();
  await signUp(framed, platform, ada);
  await signIn(framed, ada);
  const name = section(framed, 'Name');
  await name.getByLabel('Name').fill('Ada Lovelace');
  await name.getByRole('button').click();
  await expect(main(framed).getByText('The site account of Ada Lovelace')).toBeVisible();

  const email = newPerson().email;
  const address = section(framed, 'E-mail address');
  await address.getByLabel('New e-mail').fill(email);
  await address.getByLabel('Your password').fill('not my password');
  await address.getByRole('button').click();
  await expect(address.getByText('This is not your password.')).toBeVisible();
  await address.getByLabel('Your password').fill(ada.password);
  await address.getByRole('button').click();
  await expect(address.getByRole('status')).toContainText(`A link is on its way to ${email}`);
  await open(framed, await mailedPath(platform, email));
  await main(framed).getByRole('button', { name: 'Confirm' }).click();
  await expect(main(framed).getByRole('heading', { name: 'Confirmed' })).toBeVisible();

  await open(framed, '/settings');
  await expect(main(framed).getByText(email)).toBeVisible();
  const password = 'another long pass phrase';
  const secret = section(framed, 'Password');
  await secret.getByLabel('Password now').fill(ada.password);
  await secret.getByLabel('New password').fill(password);
  await secret.getByRole('button').click();
  await expect(secret.getByRole('status')).toHaveText('Your password is changed.');
  await expect(secret.getByLabel('New password')).toHaveValue('');
  await open(framed, '/settings');
  await expect(main(framed).getByText(email)).toBeVisible();
});

test('ends the session of another browser', async ({ framed, platform }) => {
  const ada = newPerson();
  await signUp(framed, platform, ada);
  await signIn(framed, ada);
  // The same browser, after it has lost its cookies: the session is still there.
  await framed.page.context().clearCookies();
  await signIn(framed, ada);
  const sessions = section(framed, 'Sessions');
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByText('this browser')).toHaveCount(1);
  await sessions.getByRole('button', { name: 'End', exact: true }).click();
  await expect(sessions.getByRole('status')).toHaveText('The session has ended.');
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
});

test('takes the data along, then deletes the account', async ({ framed, platform, calm }) => {
  calm.allow(refusal);
  const ada = newPerson();
  await signUp(framed, platform, ada);
  await signIn(framed, ada);
  const saved = framed.page.waitForEvent('download');
  await section(framed, 'Your data').getByRole('button', { name: 'Download' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('account.json');
  const data: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data).toMatchObject({ account: { name: ada.name, email: ada.email }, sessions: [{}] });

  const last = section(framed, 'Delete the account');
  await last.getByLabel('Your password').fill(ada.password);
  await last.getByRole('button', { name: 'Delete for good' }).click();
  await (await framed.frame()).waitForURL(`${platform.siteOrigin}/`);
  const page = await open(framed, '/sign-in');
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByLabel('Password').fill(ada.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
});
