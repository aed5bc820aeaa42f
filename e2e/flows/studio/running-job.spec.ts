/** What a page does by itself while a job runs: nothing hidden, nothing after sign-out, no motion. */
import type { Page } from '@playwright/test';
import { expect, openMenuOf, test } from '../../fixtures';

test(
  'while a job runs, a hidden page asks nothing, reduced motion stops every animation, and a sign-out in another tab ends its events [W13 W16 W17 W18]',
  { tag: ['@long', '@one-mode'] },
  async ({ context, platform, browserLog }) => {
    platform.clock.freeze();
    platform.state.generations.setDuration(100_000);
    platform.state.generations.submit('ada', 'A kite');
    const watching = () =>
      platform.ledger.calls({ endpoint: 'watch' }).filter(({ outcome }) => outcome === 'pending')
        .length;
    const operations = () =>
      platform.ledger.calls().filter(({ endpoint }) => endpoint !== 'user').length;
    const tab = await context.newPage();
    await tab.clock.install();
    await tab.goto(platform.siteOrigin + platform.sessions.switchPath('ada', '/studio'));
    await expect(tab.getByText('Waiting', { exact: true })).toBeVisible();
    await expect.poll(watching).toBe(1);

    expect(await moving(tab)).toBeGreaterThan(0);
    await tab.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(() => moving(tab)).toBe(0);

    const requested: string[] = [];
    await show(tab, 'hidden');
    await expect.poll(watching).toBe(0);
    const before = platform.ledger.calls().length;
    tab.on('request', (request) => requested.push(request.url()));
    await tab.clock.fastForward(120_000);
    platform.clock.advance(20_000);
    await tab.clock.fastForward(120_000);
    expect([requested, platform.ledger.calls().length - before]).toEqual([[], 0]);

    await show(tab, 'visible');
    const bar = tab.getByRole('progressbar', { name: 'Progress of A kite' });
    await expect(bar).toHaveAttribute('aria-valuenow', '20');
    await expect.poll(watching).toBe(1);

    const other = await context.newPage();
    await other.goto(platform.siteOrigin);
    const banner = other.getByRole('banner');
    await openMenuOf(banner, 'Sign out');
    await banner.getByRole('button', { name: 'Sign out' }).click();
    await banner.getByRole('button', { name: 'Sign in' }).waitFor();
    // A change: the site checks the session before it sends one.
    platform.clock.advance(1_000);
    await expect(tab.getByRole('region', { name: 'Signed out' })).toBeVisible();
    await expect(bar).toHaveCount(0);
    expect(watching()).toBe(0);

    const made = operations();
    const check = tab.waitForResponse('**/api/user');
    await tab.clock.fastForward(120_000);
    expect((await check).status()).toBe(401);
    expect(operations()).toBe(made);
    expect(browserLog.unexpected()).toEqual([]);
  },
);

/** How many animations run on the page. */
function moving(tab: Page): Promise<number> {
  return tab.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
}

/** Sets what a browser reports when the visitor changes tabs, which cannot be done headless. */
async function show(tab: Page, state: DocumentVisibilityState): Promise<void> {
  await tab.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
