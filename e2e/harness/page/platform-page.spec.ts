/** The platform's own page, as its user sees it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPlatform } from '../platform';
import { printShop } from '../test/print-shop';
import { expect, test } from '../test/shop-fixtures';

test('the address field follows the frame, and no other window', async ({
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

  await pages.getByRole('link', { name: 'Prints' }).click();
  await expect(address).toHaveValue('/prints');
  await page.getByRole('button', { name: 'Ada Quist' }).click();
  await expect(site.getByText('Hello, Ada Quist.')).toBeVisible();
  await expect(address).toHaveValue('/prints');

  const tab = await context.newPage();
  await tab.goto(`${platform.siteOrigin}/prints`);
  await tab.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await tab.waitForURL(`${platform.siteOrigin}/`);
  await tab.close();

  await pages.getByRole('link', { name: 'Account' }).click();
  await expect(address).toHaveValue('/account');
  await page.goBack();
  await expect(address).toHaveValue('/prints');
  expect(shown.filter((hash, index) => hash !== shown[index - 1])).toEqual([
    '#/prints',
    '#/account',
    '#/prints',
  ]);
});

test('an out-of-range fault setting is refused, with the message beside its field', async ({
  framed,
  platform,
  browserLog,
}) => {
  const { page } = framed;
  browserLog.allow(/status of 400 .*__platform\/faults/);
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

test('the endpoints of faults follow the list of operations', async ({ framed }) => {
  await framed.page.getByRole('heading', { name: 'Faults' }).click();
  await expect(framed.page.getByLabel('Endpoint').locator('option')).toHaveText([
    'All',
    ...['user', 'print', 'list-prints', 'read-print', 'discard-print'],
    'site (at the edge)',
  ]);
});

test('each persona shows its purpose', async ({ framed, platform }) => {
  for (const { purpose } of platform.personas) {
    await expect(framed.page.getByRole('button', { name: purpose })).toBeVisible();
  }
});

/** A simulator of the test's own, which can be restarted on its ports, and a minimal site. */
async function ownPlatform() {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>The site</h1>');
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = site.address() as AddressInfo;
  const siteUpstream = `http://127.0.0.1:${port}`;
  let running = await startPlatform(printShop, { port: 0, internalPort: 0, siteUpstream });
  const { platformUrl } = running;
  return {
    platformUrl,
    startAgain: async () => {
      running = await startPlatform(printShop, {
        port: Number(new URL(platformUrl).port),
        internalPort: 0,
        siteUpstream,
      });
    },
    stop: () => running.close(),
    startSite: () => listen(port),
    stopSite: () =>
      new Promise((resolve) => {
        site.close(resolve);
        site.closeAllConnections();
      }),
  };
}

test('while the site is down a reloaded frame says so, and shows the site when it is back', async ({
  page,
  browserLog,
}) => {
  browserLog.allow(/status of 502/);
  const own = await ownPlatform();
  await page.goto(own.platformUrl);
  const site = page.frameLocator('iframe');
  await expect(site.getByRole('heading', { name: 'The site', exact: true })).toBeVisible();
  await own.stopSite();
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  await expect(site.getByRole('heading', { name: 'The site is not responding' })).toBeVisible();
  await own.startSite();
  await expect(site.getByRole('heading', { name: 'The site', exact: true })).toBeVisible();
  await own.stop();
  await own.stopSite();
});

test('while the simulator is down nobody is shown as signed in, and a frame reloaded meanwhile recovers', async ({
  page,
  browserLog,
}) => {
  browserLog.allow(/ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE)/);
  browserLog.allow(/Content Security Policy|CSP violation|Unsafe attempt to load/);
  const own = await ownPlatform();
  await page.goto(own.platformUrl);
  const heading = page.frameLocator('iframe').getByRole('heading', { name: 'The site' });
  await page.getByRole('button', { name: 'Ada Quist' }).click();
  const who = page.locator('#who');
  await expect(who).toHaveText('Ada Quist');

  await own.stop();
  await expect(who).toHaveText('Not reachable');
  await page.getByRole('button', { name: 'Reload the frame' }).click();
  await expect(heading).toBeHidden();

  await own.startAgain();
  await expect(heading).toBeVisible();
  await expect(who).toHaveText('Signed out');
  await own.stop();
  await own.stopSite();
});
