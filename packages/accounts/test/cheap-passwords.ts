/** Cheap password hashes, for tests that are not about their cost. */
export const scryptCost = { N: 2 ** 4, r: 1, p: 1 };
