/** What a password hash costs, and what hides it. Not settings: only tests that are not about them replace this module. */

/** Scrypt with OWASP's parameters for 32 MiB (N=2^15, r=8, p=3). */
export const scryptCost = { N: 2 ** 15, r: 8, p: 3 };

/** Milliseconds before work in the background starts: beside the response it would delay it, and reveal that there is work. */
export const backgroundDelay = 100;
