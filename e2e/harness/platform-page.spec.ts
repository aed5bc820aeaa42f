/** The platform's own page, as the person at the screen uses it. */
import { expect, test } from '../fixtures';

test('the address follows the frame, and no other window', async ({
  framed,
  context,
  platform,
}) => {
  const { page, site } = framed;
  await page.waitForURL(`${platform.platformUrl}/#/`);
  const shown: string[] = [];
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) shown.push(new URL(frame.url()).hash);
  });
  const address = page.getByLabel('Path in the site');
  const pages = site.getByRole('banner').getByRole('navigation');
  await expect(address).toHaveValue('/');

  await pages.getByRole('link', { name: 'Studio' }).click();
  await expect(address).toHaveValue('/studio');
  await page.getByRole('button', { name: 'Ada Quist' }).click();
  await expect(site.getByRole('button', { name: 'Generate' })).toBeEnabled();
  await expect(address).toHaveValue('/studio');

  const tab = await context.newPage();
  await tab.goto(`${platform.siteUrl}/studio`);
  await tab.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await tab.waitForURL(`${platform.siteUrl}/`);
  await tab.close();

  await pages.getByRole('link', { name: 'Account' }).click();
  await expect(address).toHaveValue('/account');
  await page.goBack();
  await expect(address).toHaveValue('/studio');
  expect(shown.filter((hash, index) => hash !== shown[index - 1])).toEqual([
    '#/studio',
    '#/account',
    '#/studio',
  ]);
});

test('a fault out of range is refused beside its field', async ({ framed, platform, calm }) => {
  const { page } = framed;
  calm.allow(/status of 400 .*__platform\/faults/);
  await page.getByRole('heading', { name: 'Faults' }).click();
  const status = page.getByLabel('Status', { exact: true });
  const apply = page.getByRole('button', { name: 'Apply fault' });

  await status.fill('9999');
  await apply.click();
  await expect(page.getByRole('alert')).toHaveText(
    'status must be a whole number from 200 to 999.',
  );
  await expect(status).toHaveAttribute('aria-invalid', 'true');
  await expect(status).toBeFocused();
  expect(platform.faults.active()).toEqual([]);

  await status.fill('503');
  await apply.click();
  await expect(page.getByText('all: status 503')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(status).not.toHaveAttribute('aria-invalid');
});

test('each person says what they are for', async ({ framed, platform }) => {
  for (const { purpose } of platform.personas) {
    await expect(framed.page.getByRole('button', { name: purpose })).toBeVisible();
  }
});
