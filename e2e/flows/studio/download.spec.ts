/** Saving a protected file from the frame by the button. */
import type { Download, Page } from '@playwright/test';
import { expect, hold, test } from '../../fixtures';
import { bytesOf, downloadButton, pictureOf, pictureShown, save } from './saved-picture';

test.beforeEach(({ platform }) => {
  platform.state.generations.setDuration(0);
});

test('says so while it downloads, and takes one click [W26]', async ({
  framed,
  signedIn,
  platform,
}) => {
  const picture = await pictureOf('ada', platform);
  await signedIn('ada', '/studio');
  const button = downloadButton(framed);
  await expect(button).toBeEnabled();
  await pictureShown(framed);
  const release = await hold(framed.page, `**${picture.path}`);

  const downloading = framed.page.waitForEvent('download');
  await button.click();
  const busy = framed.site.getByRole('button', { name: 'Downloading…' });
  await expect(busy).toBeDisabled();
  await expect(busy).toHaveAttribute('type', 'button');
  release();
  expect((await bytesOf(await downloading)).equals(picture.bytes)).toBe(true);
  await expect(button).toBeEnabled();
  await expect(framed.site.locator('a[download]'), 'the hidden anchor is gone').toHaveCount(0);
});

test('revokes the temporary address when the file is on its way [W22]', async ({
  framed,
  signedIn,
  platform,
  context,
  calm,
}) => {
  calm.allow(/ERR_FILE_NOT_FOUND \(blob:/);
  await pictureOf('ada', platform);
  await context.addInitScript(() => {
    const made: string[] = [];
    Object.assign(window, { made });
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      const url = create(blob);
      made.push(url);
      return url;
    };
  });
  await signedIn('ada', '/studio');
  await save(framed.page, downloadButton(framed));
  const frame = await framed.frame();
  const [url] = await frame.evaluate(() => (window as unknown as { made: string[] }).made);
  expect(url).toMatch(/^blob:/);
  // Read through a picture: the content security policy lets a page fetch no blob.
  const reads = (address: string) =>
    frame.evaluate(
      (src) =>
        new Promise<boolean>((resolve) => {
          const image = new Image();
          image.onload = () => {
            resolve(true);
          };
          image.onerror = () => {
            resolve(false);
          };
          image.src = src;
        }),
      address,
    );
  // The page revokes it after the click, in a task of its own.
  await expect.poll(() => reads(url ?? '')).toBe(false);
  const fresh = await frame.evaluate(async () => {
    const picture = document.querySelector<HTMLImageElement>('main li img');
    const response = await fetch(picture?.src ?? '');
    return URL.createObjectURL(await response.blob());
  });
  expect(await reads(fresh), 'an address that was not revoked is read').toBe(true);
});

const failures = [
  { fault: { kind: 'status', status: 500 }, words: 'Download failed (502)' },
  // It breaks off after its head has arrived.
  {
    fault: { kind: 'truncated' },
    words: 'Download failed. Check your connection and try again.',
  },
] as const;

for (const { fault, words } of failures) {
  const name = 'status' in fault ? `${fault.kind} ${fault.status}` : fault.kind;
  test(`tells in a toast that a download failed: ${name} [W25 W26]`, async ({
    framed,
    signedIn,
    platform,
    calm,
  }) => {
    await pictureOf('ada', platform);
    await signedIn('ada', '/studio');
    await pictureShown(framed);
    await platform.faults.set('output', fault);
    calm.allow(/(status of 502|net::ERR_\w+) .*\/output\.png/);
    const downloads = downloadsOf(framed.page);
    await downloadButton(framed).click();
    await expect(framed.site.getByText(words, { exact: true })).toBeVisible();
    await expect(downloadButton(framed)).toBeEnabled();
    expect(downloads).toEqual([]);
  });
}

test('tells in a toast that the session has ended, and shows the panel [W17 W25]', async ({
  framed,
  signedIn,
  platform,
  calm,
}) => {
  await pictureOf('ada', platform);
  await signedIn('ada', '/studio');
  await pictureShown(framed);
  await expect(downloadButton(framed)).toBeEnabled();
  // The click brings the frame into focus: the page asks who is there, and must not hear it first.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await framed.page.route('**/api/user', async (route) => {
    await held;
    await route.continue();
  });
  platform.sessions.revokeAll();
  calm.allow(/status of 401 .*\/output\.png/);
  await downloadButton(framed).click();
  await expect(framed.site.getByText('Download failed (401)', { exact: true })).toBeVisible();
  release();
  await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
});

test('tells in a toast that the connection is lost, in its own words [W26]', async ({
  framed,
  signedIn,
  platform,
  calm,
}) => {
  const picture = await pictureOf('ada', platform);
  await signedIn('ada', '/studio');
  await pictureShown(framed);
  calm.allow(/ERR_CONNECTION_RESET.*\/output\.png/);
  await framed.page.route(`**${picture.path}`, (route) => route.abort('connectionreset'));
  await downloadButton(framed).click();
  await expect(framed.site.getByText('Check your connection and try again.')).toBeVisible();
  await expect(downloadButton(framed)).toBeEnabled();
});

test('saves nothing in a frame that may not download, and stays calm [W22]', async ({
  framed,
  signedIn,
  platform,
  calm,
}) => {
  await pictureOf('ada', platform);
  await framed.sandbox('no-downloads');
  const tokens = framed.page.locator('iframe');
  await expect(tokens).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  await signedIn('ada', '/studio');
  await pictureShown(framed);
  calm.allow(/Download is disallowed/);
  const downloads = downloadsOf(framed.page);
  await downloadButton(framed).click();
  await expect.poll(() => calm.heard()).toContainEqual(expect.stringMatching(/disallowed/));
  await expect(downloadButton(framed)).toBeEnabled();
  expect(downloads).toEqual([]);
  await expect(framed.site.getByRole('textbox')).toBeEnabled();
});

function downloadsOf(page: Page): Download[] {
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  return downloads;
}
