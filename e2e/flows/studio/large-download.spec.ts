/** Saving a large file: progress, cancelling, and resuming after an interruption. */
import type { Download } from '@playwright/test';
import { expect, test } from '../../fixtures';
import { downloadButton, pictureShown, save } from './saved-picture';

test(
  'a large download shows its progress, can be canceled, and resumes after an interruption [W22 W25 W26 W27]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }) => {
    const { generations } = platform.state;
    generations.setDuration(0);
    const { id } = generations.submit('ada', 'Heavy please');
    await signedIn('ada', '/studio');
    await pictureShown(framed);
    const { page, site } = framed;
    const button = downloadButton(framed);
    const bar = site.getByRole('progressbar', { name: `Download of ${id}.png` });
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));

    await platform.faults.set('output', { kind: 'drip', chunkBytes: 500_000, everyMs: 200 });
    await button.click();
    await expect(bar).toHaveAttribute('aria-valuetext', /^\d\.\d MB of 8\.\d MB$/);
    await expect(bar).not.toHaveAttribute('aria-valuenow', '0');
    await expect(site.getByRole('button', { name: 'Downloading…' })).toBeDisabled();
    await site.getByRole('button', { name: `Cancel the download of ${id}.png` }).click();
    await expect(bar).toHaveCount(0);
    await expect(button).toBeFocused();
    // The site has also stopped requesting the file.
    await expect
      .poll(() => platform.ledger.calls({ endpoint: 'output' }).at(-1)?.outcome)
      .toBe('aborted');

    browserLog.allow(/net::ERR_\w+ .*\/output\.png/);
    await platform.faults.set('output', { kind: 'truncated' });
    await button.click();
    await expect(site.getByText('Check your connection and try again.')).toBeVisible();
    await expect(site.getByText(/^Interrupted at \d\.\d MB of 8\.\d MB$/)).toBeVisible();
    expect(downloads).toEqual([]);

    await platform.faults.clear();
    const requested = page.waitForRequest('**/output.png');
    const { name, bytes } = await save(page, button);
    expect(name).toBe(`${id}.png`);
    expect(bytes.equals(generations.output('ada', id)?.body ?? Buffer.alloc(0))).toBe(true);
    const headers = await (await requested).allHeaders();
    expect(headers).toMatchObject({
      range: expect.stringMatching(/^bytes=[1-9]\d+-$/),
      'if-range': expect.stringMatching(/^"/),
    });
    await expect(bar).toHaveCount(0);
  },
);
