/**
 * Cheap password hashes, for tests that are not about their cost:
 * `vi.mock('@gatehouse/accounts/password-cost', () => import('@gatehouse/accounts/testing/cheap-passwords'))`.
 */
export const scryptCost = { N: 2 ** 4, r: 1, p: 1 };
