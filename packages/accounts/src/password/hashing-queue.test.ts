/** The queue of password hashes, tested with a low hashing cost. */
import { expect, test, vi } from 'vitest';
import { HashingBusy, hashPassword } from './hashing.ts';

vi.mock('../costs.ts', () => import('../testing/low-costs.ts'));

test('in a burst, two hashes run at a time, fifty wait, and the rest are rejected as busy', async () => {
  const burst = Array.from({ length: 60 }, () => hashPassword('pass phrase'));
  const results = await Promise.allSettled(burst);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(8);
  for (const result of refused) {
    expect(result).toMatchObject({ reason: expect.any(HashingBusy) as unknown });
  }
  // The queue has capacity again.
  expect(await hashPassword('pass phrase')).toMatch(/^\$scrypt\$/);
});
