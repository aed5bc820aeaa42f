/** Uploaded references: those removed before use are deleted on the platform. */
import { expect, test } from '../../fixtures';
import { drawPicture } from '@gatehouse/simulator/samples';

const png = drawPicture('A fixture');

test(
  'a removed reference is deleted on the platform, unless a generation used it [W20]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform }) => {
    platform.clock.freeze();
    await signedIn('ada', '/studio');
    const { site } = framed;
    const { media } = platform.state;
    const attach = async (name: string) => {
      const input = site.getByLabel('Reference files');
      await expect(input).toBeEnabled();
      await input.setInputFiles({ name, mimeType: 'image/png', buffer: png });
      await expect(site.getByRole('button', { name: `Remove ${name}` })).toBeEnabled();
      return media.kept().at(-1)?.id;
    };
    const remove = (name: string) => site.getByRole('button', { name: `Remove ${name}` }).click();
    const kept = () => media.kept().map(({ id }) => id);

    await attach('a.png');
    await remove('a.png');
    await expect.poll(kept).toEqual([]);

    const used = await attach('b.png');
    await site.getByRole('textbox').fill('Like this');
    await site.getByRole('button', { name: /^Generate/ }).click();
    const card = site.getByRole('listitem').filter({ has: site.getByRole('heading') });
    await expect(card.getByText('Waiting')).toBeVisible();
    await remove('b.png');
    platform.clock.advance(10_000);

    // A reference replaced by another order's was not used either.
    await attach('c.png');
    await card.getByRole('button', { name: 'Reuse' }).click();
    await expect(site.getByText('c.png')).toHaveCount(0);
    await remove('Reference 1');
    await expect.poll(kept).toEqual([used]);

    await attach('d.png');
    const switcher = site.getByLabel('Workspace');
    const names = await switcher.getByRole('option').allTextContents();
    await switcher.selectOption(names.find((name) => name.includes('view only')) ?? '');
    await expect(site.getByText('d.png')).toHaveCount(0);
    await expect.poll(kept).toEqual([used]);
    expect(platform.ledger.calls({ endpoint: 'remove-media' })).toHaveLength(3);
  },
);
