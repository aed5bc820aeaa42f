/**
 * What the site reads from the platform's profile. The contract shows no field of it, so every field
 * is optional and several spellings are read. These are the safe profile fields of W20.
 */

export interface SafeProfile {
  /** Tells one account from another; never shown. Empty where the profile has no field we know. */
  key: string;
  /** Null where the profile names nobody. */
  displayName: string | null;
  /** Credits to display, where the profile tells them. */
  credits: number | null;
  plan: string | null;
  email: string | null;
}

/** Who the visitor is, as the server or the browser last heard it. */
export type UserState =
  | { status: 'signed-in'; profile: SafeProfile }
  | { status: 'signed-out' }
  | { status: 'unavailable' };

const maxLength = 200;

/** Reads any JSON value. A value that is no profile at all gives an unnamed one. */
export function toSafeProfile(value: unknown): SafeProfile {
  const fields: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  const text = (...names: string[]): string | null => {
    for (const name of names) {
      const field = fields[name];
      if (typeof field === 'number') return String(field);
      if (typeof field === 'string' && field.trim())
        return field.trim().slice(0, maxLength).toWellFormed();
    }
    return null;
  };
  const email = text('email');
  const displayName = text('display_name', 'displayName', 'name', 'username', 'login') ?? email;
  const credits = fields['credits'];
  return {
    key: text('id', 'sub', 'user_id', 'userId') ?? email ?? displayName ?? '',
    displayName,
    credits: typeof credits === 'number' && Number.isFinite(credits) ? credits : null,
    plan: text('plan'),
    email,
  };
}
