/** Pages are still served during a burst of sign-ins. */
import { expect, test, vi } from 'vitest';
import { startSiteWithAccounts } from '../../app/testing/site-with-accounts';

vi.mock('@gatehouse/server/log', () => import('@gatehouse/server/testing/log-double'));
vi.mock('@gatehouse/accounts/mailer', () => import('@gatehouse/accounts/testing/mail-double'));
// A quarter of the production cost: it still dominates the response time, and a busy machine can keep up.
vi.mock('@gatehouse/accounts/costs', () => ({
  scryptCost: { N: 2 ** 13, r: 8, p: 3 },
  backgroundDelay: 100,
}));

const { browser, person } = await startSiteWithAccounts();

test('while the hashing queue is full, pages respond and further sign-ins get 503 with Retry-After', async () => {
  await browser().get('/sign-in');
  let settled = 0;
  const burst = Array.from({ length: 60 }, async () => {
    const { status, headers } = await browser().signIn(person());
    settled++;
    return [status, headers.get('retry-after')];
  });
  const pages: number[] = [];
  while (settled < 40) {
    const began = performance.now();
    expect((await browser().get('/sign-in')).status).toBe(200);
    pages.push(performance.now() - began);
  }
  const responses = await Promise.all(burst);
  expect(pages.length).toBeGreaterThan(10);
  // A page that waited for the queue would take seconds: a hash takes about 100 ms.
  expect(pages.toSorted((a, b) => a - b)[Math.floor(pages.length / 2)]).toBeLessThan(500);
  const refused = responses.filter(([status]) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(([, wait]) => wait === '5')).toBe(true);
});
