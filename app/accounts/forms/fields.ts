/** What the forms of accounts take. Both sides know it; the server checks. */

/** Characters. NIST SP 800-63B asks for length, and for no kinds of characters. */
export const passwordLength = { min: 10, max: 128 };

export const nameMaxLength = 80;

export const emailMaxLength = 254;

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
  maxLength: passwordLength.max,
} as const;

export const newPasswordField = {
  ...passwordField,
  label: 'New password',
  autoComplete: 'new-password',
  hint: `At least ${passwordLength.min} characters.`,
} as const;
