/** Pages are still served during a burst of sign-ins. */
import { expect, test, vi } from 'vitest';
import { startSiteWithAccounts } from '../../app/testing/site-with-accounts';

vi.mock('site-server/log', () => import('~/testing/log-double'));
vi.mock('~/accounts/mail/mailer.server', () => import('~/testing/mail-double'));
// A quarter of the real cost: many times what all else of an answer takes, and fit for a busy machine.
vi.mock('~/accounts/password/cost.server', () => ({ scryptCost: { N: 2 ** 13, r: 8, p: 3 } }));

const { browser, person } = await startSiteWithAccounts();

test('while the queue of hashes is full, pages are answered and further sign-ins are told to wait', async () => {
  await browser().get('/sign-in');
  let over = 0;
  const burst = Array.from({ length: 60 }, async () => {
    const { status, headers } = await browser().signIn(person());
    over++;
    return [status, headers.get('retry-after')];
  });
  const pages: number[] = [];
  while (over < 40) {
    const began = performance.now();
    expect((await browser().get('/sign-in')).status).toBe(200);
    pages.push(performance.now() - began);
  }
  const answers = await Promise.all(burst);
  expect(pages.length).toBeGreaterThan(10);
  // A hash takes some hundred milliseconds, the queue some seconds.
  expect(pages.toSorted((a, b) => a - b)[Math.floor(pages.length / 2)]).toBeLessThan(500);
  const refused = answers.filter(([status]) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(([, wait]) => wait === '5')).toBe(true);
});
