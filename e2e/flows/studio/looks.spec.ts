/** Layout on a phone, in forced colours, and in right-to-left scripts. */
import type { Locator } from '@playwright/test';
import { expect, hold, test, type Framed } from '../../fixtures';
import { pictureShown } from './saved-picture';

const style = (element: Locator, property: string) =>
  element.evaluate((target, name) => getComputedStyle(target).getPropertyValue(name), property);

const cardsIn = ({ site }: Framed) =>
  site.getByRole('listitem').filter({ has: site.getByRole('heading') });

const rowsOf = async (card: Locator) => {
  const tops = await card
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => Math.round(button.getBoundingClientRect().top)),
    );
  return new Set(tops).size;
};

test(
  'a card’s buttons stay in one row, and a phone shows the workspace’s name',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform }) => {
    platform.state.generations.setDuration(0);
    platform.state.generations.submit('ada', 'A kite');
    const { page, site } = framed;
    const card = cardsIn(framed);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await signedIn('ada', '/studio');
      await expect(card.getByRole('button')).toHaveCount(4);
      await expect(card.getByRole('button', { name: 'Download' })).toBeEnabled();
      expect(await rowsOf(card), `rows at ${width} px`).toBe(1);
      await pictureShown(framed);
      const release = await hold(page, '**/output.png');
      const download = page.waitForEvent('download');
      await card.getByRole('button', { name: 'Download' }).click();
      await expect(card.getByRole('button', { name: 'Downloading…' })).toBeVisible();
      expect(await rowsOf(card), `rows at ${width} px, while it downloads`).toBe(1);
      release();
      await download;
      const switcher = site.getByLabel('Workspace');
      await expect(switcher.locator('option:checked')).toHaveText('Ada Quist · own');
      // Text, padding and arrow.
      expect((await switcher.boundingBox())?.width).toBeGreaterThan(150);
    }
  },
);

test(
  'in forced colours, focused, selected, disabled and pending states are visible',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform }) => {
    const { page, site } = framed;
    await page.emulateMedia({ forcedColors: 'active' });
    platform.clock.freeze();
    platform.state.generations.submit('ada', 'A kite');
    platform.clock.advance(1_500);
    await signedIn('ada', '/studio');
    const generate = site.getByRole('button', { name: /^Generate/ });
    await expect(generate).toBeEnabled();

    const add = site.getByRole('button', { name: 'Add references' });
    expect(await style(add, 'outline-style')).toBe('none');
    await add.focus();
    // A script's focus shows a focus ring only after keyboard input.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(add).toBeFocused();
    expect(await style(add, 'outline-style')).toBe('solid');

    const choice = (name: string) => site.locator('label').filter({ hasText: name });
    expect(await style(choice('Picture'), 'outline-style')).toBe('solid');
    expect(await style(choice('Clip'), 'outline-style')).toBe('none');
    const filter = (name: string) => site.getByRole('link', { name, exact: true });
    expect(await style(filter('All'), 'outline-style')).toBe('solid');
    expect(await style(filter('Clips'), 'outline-style')).toBe('none');

    const bar = site.getByRole('progressbar', { name: 'Progress of A kite' });
    expect(await style(bar, 'outline-style')).toBe('solid');
    const [done, around] = [
      await style(bar.locator('rect'), 'fill'),
      await style(bar, 'background-color'),
    ];
    expect(done).not.toBe(around);

    const usable = await style(generate, 'color');
    await platform.faults.set('user', { kind: 'status', status: 401, body: '{}' });
    await (await framed.frame()).evaluate(() => window.dispatchEvent(new Event('focus')));
    await expect(generate).toBeDisabled();
    expect(await style(generate, 'color')).not.toBe(usable);
    expect(await style(generate, 'border-top-style')).toBe('solid');
  },
);

test(
  'right-to-left text is displayed right to left, whatever its source',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform }) => {
    const words = 'مَنارة في العاصفة';
    platform.clock.freeze();
    platform.state.generations.submit('xochitl', words);
    platform.state.generations.submit('xochitl', 'A lighthouse');
    await signedIn('xochitl', '/studio');
    const { site } = framed;
    const prompt = site.getByRole('textbox');
    expect(await style(prompt, 'direction')).toBe('ltr');
    await prompt.fill(words);
    expect(await style(prompt, 'direction')).toBe('rtl');
    expect(await style(site.getByRole('heading', { name: words }), 'direction')).toBe('rtl');
    expect(await style(site.getByRole('heading', { name: 'A lighthouse' }), 'direction')).toBe(
      'ltr',
    );

    // An empty file: not uploaded, but its name is shown.
    const buffer = Buffer.alloc(0);
    const name = 'מגדלור.png';
    const input = site.getByLabel('Reference files');
    await expect(input).toBeEnabled();
    await input.setInputFiles({ name, mimeType: 'image/png', buffer });
    expect(await style(site.getByText(name), 'direction')).toBe('rtl');
    const press = site.getByRole('option', { name: 'ערב טוב Press' });
    expect(await style(press, 'direction')).toBe('rtl');
  },
);
