/** The ledger: what it keeps, and which sins of a site it catches. */
import { describe, expect, it } from 'vitest';

import { startControlSite, type Sin } from '../negative-control/control-site';
import { createLedger, type ViolationKind } from './ledger';
import { openTestPlatform } from '../test/test-platform';
import { visit } from '../test/visit';

const platform = await openTestPlatform();

/** A day in the life of a site: two people and a stranger look, order and read. */
async function useSite(): Promise<void> {
  for (const persona of ['ada', 'bobby', null]) {
    const visitor = persona === null ? {} : { cookie: platform.sessions.createCookie(persona) };
    await visit(platform, '/api/user', visitor);
    await visit(platform, '/api/generations', { ...visitor, method: 'POST' });
    await visit(platform, '/api/generations?page=2', visitor);
  }
}

describe('the ledger', () => {
  it('leaves a site in peace that keeps the contract', async () => {
    const site = await startControlSite(platform);
    await useSite();
    await site.stop();
    expect(platform.ledger.violations()).toEqual([]);
    expect(platform.ledger.calls()).toHaveLength(13);
  });

  it.each<[Sin, ViolationKind]>([
    ['forgotten_guard', 'unguarded_call'],
    ['hasty_guard', 'unguarded_call'],
    ['token', 'credentials_sent'],
    ['cookie', 'cookie_sent'],
    ['wrong_endpoint', 'unknown_endpoint'],
    ['late_call', 'no_identity'],
  ])('catches a site with %s', async (sin, violation) => {
    const site = await startControlSite(platform, [sin]);
    // Whoever does not wait for the guard is seen not to.
    await platform.faults.set('user', { kind: 'delay', ms: 20 });
    await useSite();
    await expect
      .poll(() => platform.ledger.violations().flatMap(({ violations }) => violations), {
        timeout: 10_000,
      })
      .toContain(violation);
    await site.stop();
  });

  it('knows which request of the site a call belongs to, and how it went', async () => {
    const site = await startControlSite(platform);
    const cookie = platform.sessions.createCookie('ada');
    await visit(platform, '/api/generations?x=1', { cookie });
    await site.stop();
    const [user, list] = platform.ledger.calls({ path: '/api/generations?x=1', persona: 'ada' });
    expect(user).toMatchObject({
      endpoint: 'user',
      method: 'GET',
      path: '/user',
      persona: 'ada',
      status: 200,
      outcome: 'answered',
      siteRequest: { method: 'GET', path: '/api/generations?x=1' },
    });
    expect(list).toMatchObject({ endpoint: 'list', siteRequest: user?.siteRequest });
    expect(user?.durationMs).toBeGreaterThan(0);
    expect(platform.ledger.calls({ siteRequestId: user?.siteRequest?.id ?? '' })).toHaveLength(2);
    expect(platform.ledger.calls({ persona: null })).toEqual([]);
  });

  it('counts a guard that a fault spoilt as not passed', async () => {
    const site = await startControlSite(platform, ['hasty_guard']);
    const cookie = platform.sessions.createCookie('ada');
    for (const kind of ['status', 'truncated', 'reset', 'redirect'] as const) {
      platform.ledger.clear();
      await platform.faults.set('user', { kind });
      await visit(platform, '/api/generations', { cookie });
      expect(platform.ledger.violations()).toMatchObject([{ violations: ['unguarded_call'] }]);
    }
    await site.stop();
  });

  it('keeps the newest entries only', () => {
    const ledger = createLedger(10);
    for (let count = 1; count <= 100; count += 1) ledger.note('header_stripped', String(count));
    const details = ledger.entries({ note: 'header_stripped' }).map((entry) => entry.id);
    expect(details).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
  });

  it('bounds what a visitor can make it remember', () => {
    const ledger = createLedger();
    ledger.note('return_path_refused', 'x'.repeat(10_000));
    expect(JSON.stringify(ledger.entries()).length).toBeLessThan(500);
  });
});
