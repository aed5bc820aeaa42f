/** The page of the upload recipe, in the frame: progress, cancellation, session changes, and use without JavaScript. */
import { randomBytes } from 'node:crypto';
import { framedIn } from '@gatehouse/simulator/fixtures';
import { expect, test } from '../recipes/recipe-fixtures';

const megabyte = 1024 * 1024;

function film(bytes: number) {
  const mp4 = Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex');
  const buffer = Buffer.concat([mp4, randomBytes(bytes - mp4.length)]);
  return { name: 'film.mp4', mimeType: 'video/mp4', buffer };
}

test('an upload shows its progress, and stores nothing when it is cancelled [W18]', async ({
  browserLog,
  context,
  framed,
  platform,
  signedIn,
}) => {
  browserLog.allow(/status of 415/);
  await signedIn('ada', '/upload');
  await framed.hydrated();
  const { site } = framed;
  const input = site.getByLabel('A picture or a film');
  await expect(input).toBeEnabled();

  // Throttled to 2 MB a second, to leave time to see the progress and cancel.
  const network = await context.newCDPSession(await framed.frame());
  const line = { offline: false, latency: 0, downloadThroughput: -1 };
  const slow = { ...line, uploadThroughput: 2 * megabyte };
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', slow);
  await input.setInputFiles(film(20 * megabyte));
  await expect(input).toBeDisabled();
  const progress = site.getByRole('progressbar', { name: 'Upload' });
  await expect
    .poll(async () => Number(await progress.getAttribute('aria-valuenow')))
    .toBeGreaterThan(0);
  const calls = () => platform.ledger.calls({ endpoint: 'upload' });
  await expect.poll(calls).toMatchObject([{ outcome: 'pending' }]);

  await site.getByRole('button', { name: 'Cancel' }).click();
  await expect(site.getByText('Cancelled. Nothing was kept.')).toBeVisible();
  await expect.poll(calls).toMatchObject([{ outcome: 'aborted' }]);
  expect(platform.state.media.kept()).toEqual([]);

  await network.send('Network.emulateNetworkConditions', { ...line, uploadThroughput: -1 });
  await input.setInputFiles(film(megabyte));
  await expect(site.getByText('Uploaded.')).toBeVisible();
  expect(platform.state.media.kept()).toMatchObject([
    { bytes: megabyte, content_type: 'video/mp4' },
  ]);

  await input.setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg/>'),
  });
  await expect(site.getByText('does not accept this type of file')).toBeVisible();
});

for (const [what, persona] of [
  ['signs out', null],
  ['signs in as somebody else', 'bobby'],
] as const) {
  test(`an upload in progress is cancelled, with a message, when its visitor ${what} in another tab [W13]`, async ({
    context,
    framed,
    platform,
    signedIn,
  }) => {
    await signedIn('ada', '/upload');
    await framed.hydrated();
    const { site } = framed;
    const input = site.getByLabel('A picture or a film');
    await expect(input).toBeEnabled();
    const network = await context.newCDPSession(await framed.frame());
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: megabyte / 4,
    });
    await input.setInputFiles(film(20 * megabyte));
    const calls = () => platform.ledger.calls({ endpoint: 'upload' });
    await expect.poll(calls).toMatchObject([{ outcome: 'pending' }]);

    const tab = await context.newPage();
    await tab.goto(platform.platformUrl);
    await tab.locator('iframe[src]').waitFor();
    const other = framedIn(tab, platform);
    await other.open(
      persona ? platform.sessions.switchPath(persona, '/') : '/__auth/logout?return=/',
    );
    await other.site.getByRole('banner').waitFor();
    // The visitor returns to the first tab.
    await tab.close();
    await framed.page.bringToFront();
    await (await framed.frame()).evaluate(() => window.dispatchEvent(new Event('focus')));

    await expect(site.getByText('The upload was cancelled, and nothing was kept.')).toBeVisible();
    await expect.poll(calls).toMatchObject([{ outcome: 'aborted' }]);
    expect(platform.state.media.kept()).toEqual([]);
  });
}

test('a page uploads nothing before `/api/user` has confirmed the visitor [W13]', async ({
  browserLog,
  context,
  framed,
  platform,
  signedIn,
}) => {
  browserLog.allow(/status of 409/);
  await signedIn('ada', '/upload');
  await framed.hydrated();
  const input = framed.site.getByLabel('A picture or a film');
  await expect(input).toBeEnabled();
  const tab = await context.newPage();
  await tab.goto(platform.platformUrl);
  await tab.locator('iframe[src]').waitFor();
  await framedIn(tab, platform).open(platform.sessions.switchPath('bobby', '/'));
  await input.setInputFiles(film(1_000));
  await expect(framed.site.getByText('A different account is signed in now.')).toBeVisible();
  expect(platform.state.media.kept()).toEqual([]);
});

test('a visitor whose session has ended is asked to sign in, and nothing is stored [W17]', async ({
  browserLog,
  framed,
  platform,
  signedIn,
}) => {
  browserLog.allow(/status of 401/);
  await signedIn('ada', '/upload');
  const input = framed.site.getByLabel('A picture or a film');
  // The page has not noticed yet that the session has ended.
  await expect(input).toBeEnabled();
  platform.sessions.revokeAll();
  await input.setInputFiles(film(1_000));
  await expect(framed.site.getByRole('heading', { name: 'Sign in to upload' })).toBeVisible();
  expect(platform.state.media.kept()).toEqual([]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a form uploads the file [W19]', async ({ context, platform }) => {
    const page = await context.newPage();
    await page.goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/upload'));
    await page.locator('form[enctype] input[type=file]').setInputFiles(film(5 * megabyte));
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect(page.getByText('Uploaded.')).toBeVisible();
    expect(platform.state.media.kept()).toMatchObject([{ bytes: 5 * megabyte }]);
  });
});
