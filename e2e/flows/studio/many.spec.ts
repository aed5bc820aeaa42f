/** Large numbers: hundreds of generations, and several tabs. */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '../../fixtures';
import type { Platform } from '../../platform';

test(
  '500 generations are paged through by links',
  { tag: ['@long', '@one-mode'] },
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
  'six tabs of a browser share one event stream, and none of them polls',
  { tag: '@long' },
  async ({ context, platform, browserLog }) => {
    const { tabs, streams, open, advance } = await openTabs(context, platform);
    await expect.poll(open).toBe(1);
    // A tab polls until it hears that another one listens.
    await expect(async () => {
      expect(await advance()).toBe(0);
    }).toPass();
    expect([streams().length, open()]).toEqual([1, 1]);

    // When the listening tab closes, another takes over.
    for (const tab of tabs.splice(0, 5)) await tab.close();
    await expect.poll(open).toBe(1);
    await expect(async () => {
      expect(await advance()).toBe(0);
    }).toPass();
    // The console of every tab is checked.
    expect(browserLog.unexpected()).toEqual([]);
  },
);

test(
  'where tabs cannot share a stream, two of six hold one each, and the others poll',
  { tag: '@long' },
  async ({ context, platform, browserLog }) => {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
    });
    const { streams, open, advance } = await openTabs(context, platform);
    await expect.poll(open).toBe(2);
    // A tab without a stream lists the generations before it shows the change.
    for (let change = 0; change < 3; change++) {
      expect(await advance()).toBeGreaterThanOrEqual(4);
    }
    expect([streams().length, open()]).toEqual([2, 2]);
    expect(browserLog.unexpected()).toEqual([]);
  },
);

/** Six tabs of one visitor, whose picture progresses on request only. */
async function openTabs(context: BrowserContext, platform: Platform) {
  platform.clock.freeze();
  platform.state.generations.setDuration(100_000);
  platform.state.generations.submit('ada', 'A kite');
  const tabs = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const tab = await context.newPage();
      await tab.goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
      return tab;
    }),
  );
  const cardOf = (tab: Page) => tab.getByRole('listitem').filter({ hasText: 'A kite' });
  for (const tab of tabs) await expect(cardOf(tab).getByText('Waiting')).toBeVisible();
  const streams = () => platform.ledger.calls({ endpoint: 'watch' });
  const lists = () => platform.ledger.calls({ endpoint: 'list' }).length;
  let percent = 10;
  platform.clock.advance(percent * 1_000);
  return {
    tabs,
    /** The streams that were ever opened. */
    streams,
    open: () => streams().filter(({ outcome }) => outcome === 'pending').length,
    /** @returns how often the tabs listed the generations until all of them showed the change. */
    advance: async (): Promise<number> => {
      const before = lists();
      percent += 1;
      platform.clock.advance(1_000);
      for (const tab of tabs) {
        const bar = cardOf(tab).getByRole('progressbar');
        await expect(bar).toHaveAttribute('aria-valuenow', String(percent));
      }
      return lists() - before;
    },
  };
}
