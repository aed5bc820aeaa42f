/** Limits of the account forms, shared by server and browser. The server validates. */

/** In characters. NIST SP 800-63B recommends length over character classes. */
export const passwordLength = { min: 10, max: 128 };

/** Earlier versions allowed 128 UTF-16 units, which may be three times as many characters once composed. */
export const currentPasswordMaxLength = 3 * passwordLength.max;

export const nameMaxLength = 80;

export const emailMaxLength = 254;

export const nameField = {
  name: 'name',
  label: 'Name',
  autoComplete: 'name',
  maxLength: nameMaxLength,
} as const;

/** `username`: password managers keep the password under this field's value. */
export const emailField = {
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autoComplete: 'username',
  maxLength: emailMaxLength,
} as const;

export const passwordField = {
  name: 'password',
  label: 'Your password',
  type: 'password',
  autoComplete: 'current-password',
  maxLength: currentPasswordMaxLength,
} as const;

export const newPasswordField = {
  ...passwordField,
  label: 'New password',
  autoComplete: 'new-password',
  hint: `At least ${passwordLength.min} characters.`,
} as const;
