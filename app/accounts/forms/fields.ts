/** Limits of the account forms, shared by server and browser. The server validates. */

/** In characters. NIST SP 800-63B recommends length over character classes. */
export const passwordLength = { min: 10, max: 128 };

export const nameMaxLength = 80;

export const emailMaxLength = 254;
