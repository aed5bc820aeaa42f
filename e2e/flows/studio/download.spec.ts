/** Saving a protected file from the frame with the download button. */
import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { expect, hold, test } from '../../fixtures';
import { httpVisitor } from '@gatehouse/simulator/http';
import { bytesOf, downloadButton, pictureOf, pictureShown, save } from './saved-picture';

test.beforeEach(({ platform }) => {
  platform.state.generations.setDuration(0);
});

test('shows that it is downloading, and ignores further clicks [W26]', async ({
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

test(
  'revokes the Blob URL once the download has started [W22]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, context, browserLog }) => {
    browserLog.allow(/ERR_FILE_NOT_FOUND \(blob:/);
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
    // Probed with an image, because the content security policy does not allow fetching a Blob URL.
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
    // The page revokes the URL in a later task.
    await expect.poll(() => reads(url ?? '')).toBe(false);
    const fresh = await frame.evaluate(async () => {
      const picture = document.querySelector<HTMLImageElement>('main li img');
      const response = await fetch(picture?.src ?? '');
      return URL.createObjectURL(await response.blob());
    });
    expect(await reads(fresh), 'an address that was not revoked is read').toBe(true);
  },
);

const failures = [
  { fault: { kind: 'status', status: 500 }, words: 'Download failed (502)' },
  // Truncated after the headers.
  {
    fault: { kind: 'truncated' },
    words: 'Download failed. Check your connection and try again.',
  },
] as const;

for (const { fault, words } of failures) {
  const name = 'status' in fault ? `${fault.kind} ${fault.status}` : fault.kind;
  test(
    `shows a failed download in a toast: ${name} [W25 W26]`,
    { tag: ['@long', '@one-mode'] },
    async ({ framed, signedIn, platform, browserLog }) => {
      await pictureOf('ada', platform);
      await signedIn('ada', '/studio');
      await pictureShown(framed);
      await platform.faults.set('output', fault);
      browserLog.allow(/(status of 502|net::ERR_\w+) .*\/output\.png/);
      const downloads = downloadsOf(framed.page);
      await downloadButton(framed).click();
      await expect(framed.site.getByText(words, { exact: true })).toBeVisible();
      await expect(downloadButton(framed)).toBeEnabled();
      expect(downloads).toEqual([]);
    },
  );
}

test(
  'shows the end of the session in a toast, and shows the panel [W17 W25]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }) => {
    await pictureOf('ada', platform);
    await signedIn('ada', '/studio');
    await pictureShown(framed);
    await expect(downloadButton(framed)).toBeEnabled();
    // Clicking focuses the frame, which makes the page check the session. That check must not come
    // first.
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await framed.page.route('**/api/user', async (route) => {
      await held;
      await route.continue();
    });
    platform.sessions.revokeAll();
    browserLog.allow(/status of 401 .*\/output\.png/);
    await downloadButton(framed).click();
    await expect(framed.site.getByText('Download failed (401)', { exact: true })).toBeVisible();
    release();
    await expect(framed.site.getByRole('region', { name: 'Signed out' })).toBeVisible();
  },
);

test(
  'shows a lost connection in a toast, with the site’s own message [W26]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }) => {
    const picture = await pictureOf('ada', platform);
    await signedIn('ada', '/studio');
    await pictureShown(framed);
    browserLog.allow(/ERR_CONNECTION_RESET.*\/output\.png/);
    await framed.page.route(`**${picture.path}`, (route) => route.abort('connectionreset'));
    await downloadButton(framed).click();
    await expect(framed.site.getByText('Check your connection and try again.')).toBeVisible();
    await expect(downloadButton(framed)).toBeEnabled();
  },
);

test(
  'saves nothing in a frame without allow-downloads, without an error [W22]',
  { tag: '@long' },
  async ({ framed, signedIn, platform, browserLog }) => {
    await pictureOf('ada', platform);
    await framed.sandbox('no-downloads');
    const tokens = framed.page.locator('iframe');
    await expect(tokens).toHaveAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
    await signedIn('ada', '/studio');
    await pictureShown(framed);
    browserLog.allow(/Download is disallowed/);
    const downloads = downloadsOf(framed.page);
    await downloadButton(framed).click();
    await expect.poll(() => browserLog.all()).toContainEqual(expect.stringMatching(/disallowed/));
    await expect(downloadButton(framed)).toBeEnabled();
    expect(downloads).toEqual([]);
    await expect(framed.site.getByRole('textbox')).toBeEnabled();
  },
);

test(
  'a public file is downloaded natively by a plain link, without a session [W28]',
  { tag: '@long' },
  async ({ framed, platform }) => {
    await framed.open('/studio');
    const { name, bytes } = await save(
      framed.page,
      framed.site.getByRole('link', { name: 'Sample prompts (CSV)' }),
    );
    expect(name).toBe('sample-prompts.csv');
    expect(bytes.equals(await readFile('public/sample-prompts.csv'))).toBe(true);
    expect(await framed.path(), 'the frame stays on its page').toBe('/studio');
    const nobody = httpVisitor(platform, null);
    expect((await nobody.get('/sample-prompts.csv')).status).toBe(200);
  },
);

function downloadsOf(page: Page): Download[] {
  const downloads: Download[] = [];
  page.on('download', (download) => downloads.push(download));
  return downloads;
}
