/** The platform's own page, as its user sees it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AuthMode } from '../definition.ts';
import { startPlatform } from '../platform.ts';
import { printShop } from '../../test/print-shop.ts';
import { expect, test } from '../../test/shop-fixtures.ts';

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

test.describe('in a sandboxed frame', () => {
  const buttons = {
    print: 'print()',
    alert: "alert('Saved')",
    confirm: "confirm('Sure?')",
    prompt: "prompt('Name?')",
    popup: "open('/help')",
    top: "open('/help', '_top')",
  };
  const script = Object.entries(buttons)
    .map(([id, code]) => `document.getElementById('${id}').onclick = () => { ${code} };`)
    .join('\n');
  const html = `<!doctype html><html lang="en"><head><title>Site</title></head><body><h1>The site</h1>
    ${Object.keys(buttons)
      .map((id) => `<button id="${id}">${id}</button>`)
      .join('')}
    <a href="/other" target="_blank">new window</a> <a href="/outside" target="_top">whole window</a>
    <a href="/file.csv" download>save</a> <a href="/next">next</a>
    <form action="/found" target="_blank"><button>find</button></form>
    <script src="/page.js"></script></body></html>`;
  const ignored = {
    print: 'print() on /: the sandbox lacks allow-modals',
    alert: 'alert() on /: the sandbox lacks allow-modals',
    confirm: 'confirm() on /: the sandbox lacks allow-modals',
    prompt: 'prompt() on /: the sandbox lacks allow-modals',
    popup: 'window.open("/help") in a new window on /: the sandbox lacks allow-popups',
    top: 'window.open("/help") in _top on /: the sandbox lacks allow-top-navigation',
    find: 'a form to /found in a new window on /: the sandbox lacks allow-popups',
    'new window': 'a link to /other in a new window on /: the sandbox lacks allow-popups',
    'whole window': 'a link to /outside in _top on /: the sandbox lacks allow-top-navigation',
  };

  for (const policy of [
    undefined,
    "default-src 'self'",
    "default-src 'none'; script-src 'self' 'nonce-abc'",
  ]) {
    test(`the ledger names what the browser ignores silently, with the policy ${policy ?? 'none'}`, async ({
      page,
      browserLog,
    }) => {
      browserLog.allow(/sandbox|Unsafe attempt|Failed to load resource/i);
      const own = await ownPlatform({ html, script, policy });
      await page.goto(own.platformUrl);
      await page.locator('iframe[src]').waitFor();
      const site = page.frameLocator('iframe');
      await expect(site.getByRole('heading', { name: 'The site' })).toBeVisible();
      await page.getByLabel('Sandbox').selectOption('standard');
      await page.locator('iframe[sandbox]').waitFor();
      for (const [name, note] of Object.entries(ignored)) {
        await site.getByText(name, { exact: true }).click();
        await expect.poll(own.ignored).toContain(note);
      }
      // What the sandbox allows is not noted, and the page has no trace of the script.
      await site.getByText('next').click();
      await expect(site.locator('body')).toContainText('The site');
      expect(own.ignored()).toEqual(Object.values(ignored));
      await expect(site.locator('script')).toHaveCount(1);
      await expect(page.getByText('ignored by sandbox').first()).toBeVisible();
      await own.stop();
      await own.stopSite();
    });
  }

  test('a download is noted where the sandbox lacks allow-downloads', async ({
    page,
    browserLog,
  }) => {
    browserLog.allow(/sandbox|Download is disallowed/i);
    const own = await ownPlatform({ html, script });
    await page.goto(own.platformUrl);
    await page.getByLabel('Sandbox').selectOption('no-downloads');
    await page.locator('iframe[sandbox]').waitFor();
    await page.frameLocator('iframe').getByText('save').click();
    await expect
      .poll(own.ignored)
      .toEqual(['a download, a link to /file.csv on /: the sandbox lacks allow-downloads']);
    await own.stop();
    await own.stopSite();
  });
});

test('a name that is longer than its row is cut, and covers no number', async ({ framed }) => {
  const { page } = framed;
  const person = page.getByRole('button', { name: 'Ada Quist' });
  const row = await person.evaluate((button) => {
    const [name, credits] = [button.querySelector('.line'), button.querySelector('.mono')];
    if (!name || !credits) throw new Error('The row has no name or no number.');
    name.textContent = 'Ada Quist '.repeat(20);
    const { clientWidth, scrollWidth } = button;
    const [cut, number] = [name, credits].map((part) => part.getBoundingClientRect());
    return { end: cut?.right, number: number?.left, clientWidth, scrollWidth };
  });
  expect(row.end).toBeLessThanOrEqual(row.number ?? 0);
  expect(row.scrollWidth).toBe(row.clientWidth);
});

test.describe('shows only what the auth mode has', () => {
  for (const [auth, shown, hidden] of [
    ['platform', ['Person', 'Faults'], ['Mailbox']],
    ['in-app', ['Mailbox', 'Faults'], ['Person']],
    ['both', ['Person', 'Mailbox', 'Faults'], []],
  ] as const) {
    test(`${auth} [W29]`, async ({ page }) => {
      const own = await ownPlatform({ auth });
      await page.goto(own.platformUrl);
      await expect(page.locator('#feed-state')).toHaveText('Live');
      for (const name of shown) await expect(page.getByRole('heading', { name })).toBeVisible();
      for (const name of hidden) await expect(page.getByRole('heading', { name })).toBeHidden();
      const credits = page.getByText(/\d+ cr$/).filter({ visible: true });
      if (auth === 'in-app') {
        await expect(page.getByText('Signed out')).toBeHidden();
        await expect(credits).toHaveCount(0);
        await page.getByRole('heading', { name: 'Faults' }).click();
        await expect(page.getByLabel('Endpoint').locator('option')).toHaveText([
          'site (at the edge)',
        ]);
      } else await expect(credits).not.toHaveCount(0);
      await own.stop();
      await own.stopSite();
    });
  }
});

interface OwnSite {
  html?: string;
  script?: string;
  policy?: string | undefined;
  auth?: AuthMode;
}

/** A simulator of the test's own, which can be restarted on its ports, and a minimal site. */
async function ownPlatform({
  html = '<h1>The site</h1>',
  script = '',
  policy,
  auth = 'both',
}: OwnSite = {}) {
  const site = createServer((request, response) => {
    if (policy !== undefined) response.setHeader('content-security-policy', policy);
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : html);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = site.address() as AddressInfo;
  const siteUpstream = `http://127.0.0.1:${port}`;
  let running = await startPlatform(printShop, { port: 0, internalPort: 0, siteUpstream, auth });
  const { platformUrl } = running;
  return {
    platformUrl,
    ignored: () =>
      running.ledger
        .entries({ note: 'ignored_by_sandbox' })
        .map((entry) => (entry.kind === 'note' ? entry.detail : '')),
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
