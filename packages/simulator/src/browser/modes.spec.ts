/** The test fixtures themselves: the browser mode is measured, and a page's errors and warnings are collected. */
import { findBrowser } from './browser.ts';
import { measureMode, openBrowser, type BrowserMode } from './browser-modes.ts';
import type { BrowserLog } from './browser-log.ts';
import { expect, test, type Framed } from '../../test/shop-fixtures.ts';

test('detects that the browser is in another mode', async ({ mode }) => {
  const other: BrowserMode =
    mode.thirdPartyCookies === 'blocked'
      ? { thirdPartyCookies: 'allowed', storage: 'partitioned' }
      : { thirdPartyCookies: 'blocked', storage: 'denied' };
  const browser = await openBrowser(other, (await findBrowser()).executablePath);
  const measured = await measureMode(await browser.visitor());
  await browser.close();
  expect(measured).toEqual(other);
  expect(measured).not.toEqual(mode);
});

test.fail('fails a flow in which a page navigates to a file of /api/ [W21]', navigateToApi);

test.describe('with the violation allowed', () => {
  test.use({ provokes: ['api_navigated'] });
  test('passes a flow that navigates to /api/ [W21]', navigateToApi);
});

test('collects every error and warning from inside the frame', async ({
  framed,
  browserLog,
  platform,
}) => {
  const frame = await framed.frame();
  await frame.evaluate(() => {
    /* eslint-disable no-console -- the messages to collect */
    console.warn('a warning');
    console.error('an error');
    /* eslint-enable no-console */
    setTimeout(() => {
      throw new Error('thrown on the page');
    });
    const picture = document.createElement('img');
    picture.src = 'https://evil.test/picture.png';
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(picture, script);
  });
  await frame.evaluate(() => fetch('/api/nothing'));
  await framed.page.route(/\/favicon\.svg\?lost/, (route) => route.abort('connectionreset'));
  await frame.evaluate(() => fetch('/favicon.svg?lost').catch(() => undefined));

  const complaints = [
    /^warning: a warning/,
    /^error: an error/,
    /^page error: thrown on the page/,
    /^error: CSP violation of img-src by https:\/\/evil\.test/,
    /^error: CSP violation of script-src-elem by inline/,
    /^error: .*status of 404 .*\/api\/nothing/,
    /^request: net::ERR_CONNECTION_RESET .*\/favicon\.svg\?lost/,
  ];
  for (const complaint of complaints) {
    await expect
      .poll(() => browserLog.unexpected(), complaint.source)
      .toContainEqual(expect.stringMatching(complaint));
  }
  expect(await frame.evaluate(() => 'ran' in window)).toBe(false);
  browserLog.allow(
    /evil\.test|inline|^warning: a warning|an error|thrown on the page|nothing|lost/,
  );
  expect(platform.ledger.violations()).toEqual([]);
});

async function navigateToApi({
  framed,
  browserLog,
}: {
  framed: Framed;
  browserLog: BrowserLog;
}): Promise<void> {
  browserLog.allow(/status of 404 .*\/api\/prints\/1/);
  const frame = await framed.frame();
  const arrived = frame.waitForURL('**/api/prints/1');
  await frame.evaluate(() => {
    location.assign('/api/prints/1');
  });
  await arrived;
}
