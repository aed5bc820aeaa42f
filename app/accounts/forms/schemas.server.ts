/** Validation of the account forms. */
import { z } from 'zod';
import { isBlank, atLeast, atMost, composed, notBlank } from '@gatehouse/frame';
import { withoutInvisible } from '@gatehouse/frame/server';
import { currentPasswordMaxLength, emailMaxLength, nameMaxLength, passwordLength } from './fields';

const emailError = 'Enter an e-mail address, such as ada@example.org.';

/** What the clipboard may add unseen: zero width spaces, direction marks, soft hyphens, controls. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;

const email = z
  .string({ error: emailError })
  .overwrite((typed) => composed(typed.replaceAll(invisible, '')))
  .trim()
  .superRefine((address, context) => {
    const message = problemOf(address);
    if (message !== null) context.addIssue(message);
  })
  .toLowerCase();

/** Why an address cannot be used. Null if it can. */
function problemOf(address: string): string | null {
  if (/[<>]/.test(address)) return 'Enter only the address, without a name or brackets.';
  if (/\s/.test(address)) return 'Remove the space from the address.';
  const at = Array.from(address).findIndex((character) => !/[\x20-\x7e]/.test(character));
  if (at !== -1) return problemOfCharacter(Array.from(address)[at] ?? '', at + 1);
  if (address.length > emailMaxLength) return `Use at most ${emailMaxLength} characters.`;
  const [local = '', domain = ''] = address.split('@');
  if (local.length > longest.local) return `Use at most ${longest.local} characters before the @.`;
  if (domain.split('.').some(({ length }) => length > longest.label))
    return `Use at most ${longest.label} characters between the dots after the @.`;
  return z.email().safeParse(address).success ? null : emailError;
}

/** In characters: RFC 5321, 4.5.3.1.1, and RFC 1035, 2.3.4. */
const longest = { local: 64, label: 63 };

/** Also by its code point: it may look like a letter that can be used, or be drawn over another. */
function problemOfCharacter(character: string, position: number): string {
  const hex = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return /[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}]/u.test(character) && !isBlank(character)
    ? `“${character}” cannot be used in an address here. It is character ${position}, U+${hex}.`
    : `Character ${position}, U+${hex}, cannot be used in an address here.`;
}

const name = z
  .string({ error: 'Enter a name.' })
  .trim()
  .regex(/^\P{Cc}*$/u, { error: 'A name cannot contain line breaks or control characters.' })
  .overwrite(withoutInvisible)
  .trim()
  .check(notBlank('Enter a name.'), atMost(nameMaxLength));

/** Not more: an account keeps the password that it was given by earlier rules. */
const currentPassword = z
  .string({ error: 'Enter your password.' })
  .check(atMost(currentPasswordMaxLength, 'This password is too long.'));

const newPassword = z
  .string({ error: 'Choose a password.' })
  .check(atLeast(passwordLength.min), atMost(passwordLength.max))
  .regex(/^\P{Cc}*$/u, { error: 'A password cannot contain line breaks or control characters.' });

/**
 * The characters of tokens and ids. PostgreSQL refuses a query with a NUL, which would be a 500.
 * A token of a confirmation link is a JWT and has dots. Anything else is like one that has expired.
 */
const madeHere = z
  .string()
  .regex(/^[\w.-]{1,2000}$/)
  .catch('');

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
/** A form that only says what to do. */
export const noFields = z.object({});
