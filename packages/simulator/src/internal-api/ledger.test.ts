/** The ledger: what it records, and which violations of a site it detects. */
import { describe, expect, it } from 'vitest';

import { startControlSite, type Defect } from '../../test/negative-control/control-site.ts';
import { createLedger, type ViolationKind } from './ledger.ts';
import { printShop } from '../../test/print-shop.ts';
import { openTestPlatform } from '../testing/test-platform.ts';
import { visit } from '../../test/visit.ts';

const platform = await openTestPlatform(printShop);

/** Ordinary use of a site: two people and a stranger view, order and read. */
async function useSite(): Promise<void> {
  for (const persona of ['ada', 'bobby', null]) {
    const visitor = persona === null ? {} : { cookie: platform.sessions.createCookie(persona) };
    await visit(platform, '/api/user', visitor);
    await visit(platform, '/api/prints', { ...visitor, method: 'POST' });
    await visit(platform, '/api/prints?page=2', visitor);
  }
}

describe('the ledger', () => {
  it('reports nothing for a site that keeps the contract', async () => {
    const site = await startControlSite(platform);
    await useSite();
    await site.stop();
    expect(platform.ledger.violations()).toEqual([]);
    expect(platform.ledger.calls()).toHaveLength(13);
  });

  it.each<[Defect, ViolationKind]>([
    ['forgotten_guard', 'unguarded_call'],
    ['hasty_guard', 'unguarded_call'],
    ['token', 'credentials_sent'],
    ['cookie', 'cookie_sent'],
    ['wrong_endpoint', 'unknown_endpoint'],
    ['late_call', 'no_identity'],
    ['stolen_ticket', 'ticket_replayed'],
  ])('detects a site with %s', async (defect, violation) => {
    const site = await startControlSite(platform, [defect]);
    // Delays the guard, so that a site which does not wait for it is detected.
    await platform.faults.set('user', { kind: 'delay', ms: 20 });
    await useSite();
    await expect
      .poll(() => platform.ledger.violations().flatMap(({ violations }) => violations))
      .toContain(violation);
    await site.stop();
  });

  it('records which request of the site a call belongs to, and its outcome', async () => {
    const site = await startControlSite(platform);
    const cookie = platform.sessions.createCookie('ada');
    await visit(platform, '/api/prints?x=1', { cookie });
    await site.stop();
    const [user, list] = platform.ledger.calls({ path: '/api/prints?x=1', persona: 'ada' });
    expect(user).toMatchObject({
      endpoint: 'user',
      method: 'GET',
      path: '/user',
      persona: 'ada',
      status: 200,
      outcome: 'answered',
      siteRequest: { method: 'GET', path: '/api/prints?x=1' },
    });
    expect(list).toMatchObject({ endpoint: 'list-prints', siteRequest: user?.siteRequest });
    expect(user?.durationMs).toBeGreaterThan(0);
    expect(platform.ledger.calls({ persona: null })).toEqual([]);
  });

  it('does not count a guard that a fault altered as passed', async () => {
    const site = await startControlSite(platform, ['hasty_guard']);
    const cookie = platform.sessions.createCookie('ada');
    for (const kind of ['status', 'truncated', 'reset', 'redirect'] as const) {
      platform.ledger.clear();
      await platform.faults.set('user', { kind });
      await visit(platform, '/api/prints', { cookie });
      expect(platform.ledger.violations()).toMatchObject([{ violations: ['unguarded_call'] }]);
    }
    await site.stop();
  });

  it('keeps only the newest entries', () => {
    const ledger = createLedger([], 10);
    for (let count = 1; count <= 100; count += 1) ledger.note('header_stripped', String(count));
    const details = ledger.entries({ note: 'header_stripped' }).map((entry) => entry.id);
    expect(details).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
  });

  it('refuses a filter with an unknown endpoint, with the valid names', () => {
    // @ts-expect-error -- the names are also checked by the compiler
    expect(() => platform.ledger.calls({ endpoint: 'nowhere' })).toThrow(
      'Unknown endpoint nowhere: the endpoints are user, print, list-prints, read-print, discard-print, unknown.',
    );
  });

  it('keeps violations when thousands of calls follow', () => {
    const ledger = createLedger([], 10);
    const call = { siteRequest: null, persona: null, method: 'GET', path: '/user' } as const;
    ledger.open({ ...call, endpoint: 'user', violations: ['cookie_sent'] });
    for (let count = 0; count < 100; count += 1) {
      ledger.open({ ...call, endpoint: 'user', violations: [] });
    }
    expect(ledger.violations()).toMatchObject([{ id: 1, violations: ['cookie_sent'] }]);
    expect(ledger.entries()).toHaveLength(11);
    for (let count = 0; count < 100; count += 1) {
      ledger.open({ ...call, endpoint: 'user', violations: ['body_sent'] });
    }
    expect(ledger.violations().length, 'it does not grow for ever').toBeLessThanOrEqual(20);
    ledger.clear();
    expect(ledger.entries()).toEqual([]);
  });

  it('truncates what a visitor can make it record', () => {
    const ledger = createLedger();
    ledger.note('return_path_refused', 'x'.repeat(10_000));
    expect(JSON.stringify(ledger.entries()).length).toBeLessThan(500);
  });
});
