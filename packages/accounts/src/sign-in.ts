/** Signs in with an address and a password, and sets a forgotten password anew. */
import { isAPIError } from 'better-auth/api';
import { auth, authHeaders } from './auth.ts';
import { countAttempt, forgiveAttempts, type LimitReached } from './limits.ts';
import { sendVerification } from './mail/verification.ts';
import { hashOtherForms } from './password/hashing.ts';
import { findPasswordHash } from './password/stored-password.ts';
import { wrongPasswords } from './password/wrong-passwords.ts';
import { deleteExpiredSessions } from './session/expired-sessions.ts';
import { endSessionOf, endSessionWith, sessionCookieIn } from './session/sessions.ts';
import type { AccountsSite } from './site.ts';

export interface Credentials {
  email: string;
  password: string;
}

export type SignInResult =
  /** With the session's cookie. */
  | { ok: true; headers: Headers }
  /** The address or the password: the result does not reveal which. */
  | { ok: false; reason: 'wrong' }
  /** The password was right, so it may be revealed that the account exists. `isMailed`: its link was sent again. */
  | { ok: false; reason: 'unconfirmed'; isMailed: boolean }
  | LimitReached;

/**
 * Begins a session, and ends the one that the request carries.
 *
 * @param address the visitor's IP address, if known.
 */
export async function signIn(
  site: AccountsSite,
  request: Request,
  { email, password }: Credentials,
  address: string | undefined,
): Promise<SignInResult> {
  const attempt = { email, address };
  const limited = await countAttempt(site, wrongPasswords, attempt);
  if (limited) return limited;
  try {
    const headers = authHeaders(site, request);
    const body = { email, password };
    const known = await findPasswordHash(site, email);
    if (known === null) await hashOtherForms(password);
    const signedIn = await auth(site).api.signInEmail({ body, headers, returnHeaders: true });
    // The password was changed while this one was verified, which ended all sessions but this.
    if ((await findPasswordHash(site, email)) !== known) {
      await endSessionWith(site, signedIn.response.token);
      return { ok: false, reason: 'wrong' };
    }
    await endSessionOf(site, request);
    await deleteExpiredSessions(site);
    await forgiveAttempts(site, wrongPasswords, attempt);
    return { ok: true, headers: sessionCookieIn(signedIn.headers) };
  } catch (error) {
    if (!isAPIError(error)) throw error;
    if (error.body?.code !== 'EMAIL_NOT_VERIFIED') return { ok: false, reason: 'wrong' };
    await forgiveAttempts(site, wrongPasswords, attempt);
    const isMailed = (await sendVerification(site, attempt)) === null;
    return { ok: false, reason: 'unconfirmed', isMailed };
  }
}

/**
 * Sets a new password with the token of a mailed link, and ends every session of the account.
 *
 * @returns whether the link was valid.
 */
export async function resetPassword(
  site: AccountsSite,
  token: string,
  password: string,
): Promise<boolean> {
  try {
    await auth(site).api.resetPassword({ body: { token, newPassword: password } });
    return true;
  } catch (error) {
    if (!isAPIError(error)) throw error;
    return false;
  }
}
