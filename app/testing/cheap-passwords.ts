/**
 * Hashes that cost next to nothing, for tests of anything but the cost:
 * `vi.mock('~/accounts/password/cost.server', () => import('~/testing/cheap-passwords'))`.
 */
export const scryptCost = { N: 2 ** 4, r: 1, p: 1 };
