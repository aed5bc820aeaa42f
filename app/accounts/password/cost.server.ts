/**
 * What a password's hash costs: scrypt with OWASP's figures for 32 MiB (N=2^15, r=8, p=3). It is no setting: tests
 * that need many hashes replace this module, and nothing else can.
 */
export const scryptCost = { N: 2 ** 15, r: 8, p: 3 };
