/**
 * The cost of a password hash: scrypt with OWASP's parameters for 32 MiB (N=2^15, r=8, p=3). Not a
 * setting: only tests that need many hashes replace this module.
 */
export const scryptCost = { N: 2 ** 15, r: 8, p: 3 };
