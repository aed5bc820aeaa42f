/** Validation of the account forms. */
import { z } from 'zod';
import { atLeast, atMost } from '@gatehouse/frame';
import { currentPasswordMaxLength, emailMaxLength, nameMaxLength, passwordLength } from './fields';

const emailError = 'Enter an e-mail address, such as ada@example.org.';

/** What the clipboard may add unseen: zero width spaces, direction marks, soft hyphens, controls. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;

const email = z
  .string({ error: emailError })
  .overwrite((typed) => typed.replaceAll(invisible, ''))
  .trim()
  .toLowerCase()
  .check(atMost(emailMaxLength))
  .superRefine((address, context) => {
    const message = problemOf(address);
    if (message !== null) context.addIssue(message);
  });

/** Why an address cannot be used. Null if it can. */
function problemOf(address: string): string | null {
  if (/[<>]/.test(address)) return 'Enter only the address, without a name or brackets.';
  if (/\s/.test(address)) return 'Remove the space from the address.';
  const [foreign] = /[^\x20-\x7e]/u.exec(address) ?? [];
  if (foreign !== undefined) return `“${foreign}” cannot be used in an address here.`;
  return z.email().safeParse(address).success ? null : emailError;
}

const name = z
  .string({ error: 'Enter a name.' })
  .trim()
  .check(atLeast(1, 'Enter a name.'), atMost(nameMaxLength))
  .regex(/^\P{Cc}*$/u, { error: 'A name cannot contain line breaks or control characters.' });

/** Not more: an account keeps the password that it was given by earlier rules. */
const currentPassword = z
  .string({ error: 'Enter your password.' })
  .check(atMost(currentPasswordMaxLength, 'This password is too long.'));

/** `password/hashing.server.ts` prepares it. */
const newPassword = z
  .string({ error: 'Choose a password.' })
  .check(atLeast(passwordLength.min), atMost(passwordLength.max))
  .regex(/^\P{Cc}*$/u, { error: 'A password cannot contain line breaks or control characters.' });

/**
 * The characters of tokens and ids. PostgreSQL refuses a query with a NUL, which would be a 500.
 * A token of a confirmation link is a JWT and has dots.
 */
const madeHere = z.string().regex(/^[\w.-]{1,2000}$/);

export const signInSchema = z.object({ email, password: currentPassword });
export const signUpSchema = z.object({ name, email, password: newPassword });
export const emailSchema = z.object({ email });
export const resetSchema = z.object({ token: madeHere, password: newPassword });
export const confirmSchema = z.object({ token: madeHere });
export const nameSchema = z.object({ name });
export const changeEmailSchema = z.object({ email, password: currentPassword });
export const changePasswordSchema = z.object({ current: currentPassword, password: newPassword });
export const endSessionSchema = z.object({ session: madeHere });
export const deleteSchema = z.object({ password: currentPassword });
