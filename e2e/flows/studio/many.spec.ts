/** Large numbers: hundreds of generations, and several tabs. */
import { expect, test } from '../../fixtures';

test(
  '500 generations are paged through by links',
  { tag: '@long' },
  async ({ framed, signedIn, platform }) => {
    // They failed, so nothing has to be drawn.
    for (let number = 500; number > 0; number--)
      platform.state.generations.submit('ada', `Fail please, number ${number}.`);
    platform.clock.advance(10_000);
    platform.clock.freeze();
    await signedIn('ada', '/studio?status=failed');
    const { site } = framed;
    const titles = site.getByRole('listitem').getByRole('heading');
    const older = site.getByRole('link', { name: 'Older' });
    for (const first of [1, 25, 49]) {
      await expect(titles.first()).toHaveText(`Fail please, number ${first}.`);
      await expect(titles).toHaveCount(24);
      await expect(titles.last()).toHaveText(`Fail please, number ${first + 23}.`);
      await older.click();
    }
    await expect(titles.first()).toHaveText('Fail please, number 73.');
    expect(await framed.path()).toMatch(/^\/studio\?status=failed&cursor=[^&]+$/);
    await (
      await framed.frame()
    ).evaluate(() => {
      history.back();
    });
    await expect(titles.first()).toHaveText('Fail please, number 49.');
    await expect(titles).toHaveCount(24);
    await site.getByRole('link', { name: 'Newest' }).click();
    await expect(titles.first()).toHaveText('Fail please, number 1.');
  },
);

test(
  'six tabs of a browser share one event stream',
  { tag: '@long' },
  async ({ context, platform, calm }) => {
    platform.clock.freeze();
    platform.state.generations.submit('ada', 'A kite');
    const tabs = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const tab = await context.newPage();
        await tab.goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
        return tab;
      }),
    );
    const cards = tabs.map((tab) => tab.getByRole('listitem').filter({ hasText: 'A kite' }));
    const streams = () => platform.ledger.calls({ endpoint: 'watch' });
    const open = () => streams().filter(({ outcome }) => outcome === 'pending').length;
    for (const card of cards) await expect(card.getByText('Waiting')).toBeVisible();
    await expect.poll(open).toBe(1);

    platform.clock.advance(1_500);
    for (const card of cards) await expect(card.getByText('Generating')).toBeVisible();
    expect([streams().length, open()]).toEqual([1, 1]);

    // When the listening tab closes, another takes over.
    for (const tab of tabs.slice(0, 5)) await tab.close();
    await expect.poll(open).toBe(1);
    platform.clock.advance(1_000);
    const bar = cards[5]?.getByRole('progressbar');
    await expect.poll(() => bar?.getAttribute('aria-valuenow')).toBe('83');
    // The console of every tab is checked.
    expect(calm.noise()).toEqual([]);
  },
);
