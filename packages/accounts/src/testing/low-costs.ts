/**
 * Cheap password hashes, and mail at once, for tests that are not about them:
 * `vi.mock('@gatehouse/accounts/costs', () => import('@gatehouse/accounts/testing/low-costs'))`.
 */
export const scryptCost = { N: 2 ** 4, r: 1, p: 1 };
export const backgroundDelay = 0;
