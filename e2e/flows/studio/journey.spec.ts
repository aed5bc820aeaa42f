/** The complete journey: from prompts and a reference to a downloaded file and its deletion. */
import { expect, test } from '../../fixtures';
import { drawPicture } from '@gatehouse/simulator/samples';
import { save } from './saved-picture';

test('three prompts with a reference: cost, live to the end, download, zip, delete and undo [W16 W21 W22 W26 W27]', async ({
  framed,
  signedIn,
  platform,
}) => {
  platform.clock.freeze();
  await signedIn('ada', '/studio');
  const { site, page } = framed;
  const prompt = site.getByRole('textbox', { name: 'What do you want to see?' });
  await prompt.fill('A lighthouse in a storm');
  for (const [index, words] of ['The keeper', 'مَنارة'].entries()) {
    await site.getByRole('button', { name: 'Add a prompt' }).click();
    const added = site.getByRole('textbox', { name: `Prompt ${index + 2}` });
    await expect(added).toBeFocused();
    await added.fill(words);
  }
  await expect(site.getByRole('button', { name: 'Generate · 3 credits' })).toBeEnabled();

  // An upload shows its progress, and can be cancelled and repeated.
  const files = site.getByLabel('Reference files');
  // The first upload is never answered. Removing the route instead could let a request through that
  // is just being cancelled.
  let held = false;
  await page.route('**/api/media?*', async (route) => {
    if (held) await route.continue();
    held = true;
  });
  await files.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png });
  await expect(site.getByRole('progressbar', { name: 'Upload of a.png' })).toBeVisible();
  await expect(site.getByText('Waiting for uploads to finish.')).toBeVisible();
  await site.getByRole('button', { name: 'Cancel the upload of a.png' }).click();
  await expect(site.getByText('a.png')).toHaveCount(0);
  await files.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: png });
  await expect(site.getByRole('button', { name: 'Remove b.png' })).toBeVisible();
  expect(platform.state.media.kept()).toHaveLength(1);

  await site.getByRole('button', { name: 'Generate · 6 credits' }).click();
  const cards = site.getByRole('listitem').filter({ has: site.getByRole('heading') });
  await expect(cards.getByText('Waiting')).toHaveCount(3);
  await expect(prompt).toHaveValue('');
  platform.clock.advance(1_500);
  await expect(cards.getByText('Generating')).toHaveCount(3);
  await expect(cards.getByRole('progressbar').first()).toHaveAttribute('aria-valuenow', '50');
  // Delivered by the event stream: the page did not poll.
  const looks = platform.ledger.calls({ endpoint: 'list' }).length;
  platform.clock.advance(1_500);
  await expect(cards.getByRole('progressbar')).toHaveCount(0);
  expect(platform.ledger.calls({ endpoint: 'watch' })).toHaveLength(1);
  expect(platform.ledger.calls({ endpoint: 'list' }).length - looks).toBeLessThanOrEqual(3);

  const card = cards.filter({ hasText: 'A lighthouse in a storm' });
  const { name, bytes } = await save(page, card.getByRole('button', { name: 'Download' }));
  expect(name).toMatch(/^gen_[a-z0-9]+\.png$/);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');

  for (const box of await cards.getByRole('checkbox').all()) await box.check();
  await expect(site.getByText('3 selected')).toBeVisible();
  const zip = await save(page, site.getByRole('button', { name: 'Download as zip' }));
  expect(zip.name).toBe('generations.zip');
  expect(zip.bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  expect(zip.bytes.includes(bytes), 'the very bytes, as they are').toBe(true);
  expect(zip.bytes.includes(name)).toBe(true);
  await site.getByRole('button', { name: 'Clear' }).click();

  await card.getByRole('button', { name: 'Delete' }).click();
  await expect(card).toHaveCount(0);
  await site.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: 'Reuse' }).click();
  await expect(prompt).toHaveValue('A lighthouse in a storm');
  await expect(site.getByText('Reference 1')).toBeVisible();
});

test('a clip plays inline, with the frame’s cookies, and can be canceled while pending [W21 W28]', async ({
  framed,
  signedIn,
  platform,
}) => {
  platform.state.generations.submit('ada', 'Waves', { kind: 'clip' });
  platform.clock.advance(7_000);
  platform.clock.freeze();
  platform.state.generations.submit('ada', 'A gull', { kind: 'clip', cost: 5 });
  await signedIn('ada', '/studio?kind=clip');
  const { site } = framed;
  const clip = site.getByLabel('Waves', { exact: true });
  await clip.evaluate(async (video: HTMLVideoElement) => {
    await video.play();
  });
  await expect
    .poll(() => clip.evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(0);
  const gull = site.getByRole('listitem').filter({ hasText: 'A gull' });
  await gull.getByRole('button', { name: 'Cancel' }).click();
  await expect(gull.getByText('Canceled. Its credits were refunded.')).toBeVisible();
  await site.getByRole('link', { name: 'Canceled' }).click();
  await expect(site.getByText('Waves')).toHaveCount(0);
  await expect(gull).toBeVisible();
});

test('another workspace has its own feed, permissions and credits, and the history lists every change', async ({
  framed,
  signedIn,
  platform,
}) => {
  platform.state.generations.submit('ada', 'Of her own');
  await signedIn('ada', '/studio');
  const { site } = framed;
  await expect(site.getByRole('heading', { name: 'Of her own' })).toBeVisible();
  const switcher = site.getByLabel('Workspace');
  await expect(switcher).toBeEnabled();
  const names = await switcher.getByRole('option').allTextContents();
  await switcher.selectOption(names.find((name) => name.includes('view only')) ?? '');
  await expect(site.getByText(/but not generate in it/)).toBeVisible();
  await expect(site.getByRole('heading', { name: 'Of her own' })).toHaveCount(0);
  await expect(site.getByRole('button', { name: /^Generate/ })).toBeDisabled();
  await switcher.selectOption(names.find((name) => !name.includes('view only')) ?? '');
  await expect(site.getByRole('heading', { name: 'Of her own' })).toBeVisible();

  await site
    .getByRole('banner')
    .getByRole('link', { name: /credits/ })
    .click();
  await expect(site.getByRole('heading', { name: 'Credits' })).toBeVisible();
  await expect(site.getByRole('img', { name: /^Credits spent each day/ })).toBeVisible();
  await expect(site.getByRole('heading', { name: 'Transactions' })).toBeVisible();
});

const png = drawPicture('A fixture');
