/** Validation of the account forms. */
import { z } from 'zod';
import { emailMaxLength, nameMaxLength, passwordLength } from './fields';

const emailError = 'Enter an e-mail address, such as ada@example.org.';

const email = z
  .string({ error: emailError })
  .trim()
  .toLowerCase()
  .max(emailMaxLength, { error: emailError })
  .pipe(z.email({ error: emailError }));

const name = z
  .string({ error: 'Enter a name.' })
  .trim()
  .min(1, { error: 'Enter a name.' })
  .max(nameMaxLength, { error: `Use at most ${nameMaxLength} characters.` })
  .regex(/^\P{Cc}*$/u, { error: 'A name cannot contain line breaks or control characters.' });

const currentPassword = z
  .string({ error: 'Enter your password.' })
  .max(passwordLength.max, { error: 'This password is too long.' });

const newPassword = z
  .string({ error: 'Choose a password.' })
  .min(passwordLength.min, { error: `Use at least ${passwordLength.min} characters.` })
  .max(passwordLength.max, { error: `Use at most ${passwordLength.max} characters.` });

/**
 * The characters of tokens and ids. PostgreSQL refuses a query with a NUL, which would be a 500.
 * A token of a confirmation link is a JWT and has dots.
 */
const madeHere = z.string().regex(/^[\w.-]+$/);

export const signInSchema = z.object({ email, password: currentPassword });
export const signUpSchema = z.object({ name, email, password: newPassword });
export const emailSchema = z.object({ email });
export const resetSchema = z.object({ token: madeHere.max(200), password: newPassword });
export const confirmSchema = z.object({ token: madeHere.max(2_000) });
export const nameSchema = z.object({ name });
export const changeEmailSchema = z.object({ email, password: currentPassword });
export const changePasswordSchema = z.object({ current: currentPassword, password: newPassword });
export const endSessionSchema = z.object({ session: madeHere.max(100) });
export const deleteSchema = z.object({ password: currentPassword });
