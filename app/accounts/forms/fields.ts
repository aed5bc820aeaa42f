/** What the forms of accounts take. Both sides know it; the server checks. */

/** Characters. NIST SP 800-63B asks for length, and for no kinds of characters. */
export const passwordLength = { min: 10, max: 128 };

export const nameMaxLength = 80;

export const emailMaxLength = 254;
