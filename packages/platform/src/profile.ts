/**
 * What the site reads from the platform's profile. The contract does not define its fields, so
 * every field is optional and several spellings are accepted. These are the safe profile fields of
 * W20.
 */

import { digest } from 'ohash/crypto';
import { truncate } from '@gatehouse/frame';

export interface SafeProfile {
  /**
   * Identifies the account; never displayed. A digest, because pages carry it and must not carry
   * fields that they do not show (W20). Empty if the profile identifies nobody.
   */
  key: string;
  /** Null if the profile has no name. */
  displayName: string | null;
  /** The balance to display, if the profile has one. */
  credits: number | null;
  plan: string | null;
  email: string | null;
}

/** The sign-in state, as the server or the browser last learned it. `checking`: the server has not asked, for a page that caches may keep. */
export type UserState =
  | { status: 'checking' }
  | { status: 'signed-in'; profile: SafeProfile }
  | { status: 'signed-out' }
  | { status: 'unavailable' };

/** What a site's root loader gives to its pages of the platform. */
export interface PlatformPart {
  user: UserState;
  /** W31. */
  offlineDemo: boolean;
}

/** Maximum characters of a displayed field. */
const maxLength = 200;

/** Accepts any JSON value. Anything that is not a profile gives an unnamed one. */
export function toSafeProfile(value: unknown): SafeProfile {
  const { evidence, ...shown } = read(value);
  return { key: evidence && digest(evidence), ...shown };
}

/**
 * The same with Web Crypto, since ohash would add 1.7 kB to every page.
 *
 * @throws {TypeError} outside a secure context, which has no Web Crypto.
 */
export async function toSafeProfileInBrowser(value: unknown): Promise<SafeProfile> {
  const { evidence, ...shown } = read(value);
  return { key: evidence && (await digestInBrowser(evidence)), ...shown };
}

interface ReadProfile extends Omit<SafeProfile, 'key'> {
  /** What distinguishes this person from others; empty if nothing does. */
  evidence: string;
}

function read(value: unknown): ReadProfile {
  const fields: Fields = typeof value === 'object' && value !== null ? { ...value } : {};
  const text = (...names: string[]) => {
    const found = textOf(fields, names);
    return found === null ? null : truncate(found, maxLength).toWellFormed();
  };
  const email = text('email');
  const credits = fields['credits'];
  return {
    evidence: evidenceOf(fields),
    displayName: text(...nameFields) ?? email,
    credits: typeof credits === 'number' && Number.isFinite(credits) ? credits : null,
    plan: text('plan'),
    email,
  };
}

async function digestInBrowser(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

type Fields = Record<string, unknown>;

const idFields = ['id', 'sub', 'user_id', 'userId'];
const nameFields = ['display_name', 'displayName', 'name', 'username', 'login'];

/** The first non-empty field, not truncated. */
function textOf(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const field = fields[name];
    if (typeof field === 'number') return String(field);
    if (typeof field === 'string' && field.trim()) return field.trim();
  }
  return null;
}

function evidenceOf(fields: Fields): string {
  const id = textOf(fields, idFields);
  const evidence = id === null ? stablePart(fields) : [['id', id]];
  return evidence.length === 0 ? '' : JSON.stringify(evidence);
}

/**
 * What identifies the person in a profile without a known id. Amounts, dates and URLs are left out:
 * they change between two responses, and the same person would look like another.
 */
function stablePart(fields: Fields): [path: string, value: string][] {
  // A name may be a number.
  const found: [string, string][] = [['name', textOf(fields, nameFields) ?? '']];
  const collect = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      // Bounded so that a hostile profile cannot overflow the stack.
      if (depth === maxDepth) return;
      for (const [name, field] of Object.entries(value))
        collect(field, `${path}/${name}`, depth + 1);
    } else if (typeof value === 'number' || typeof value === 'string') {
      const text = String(value).trim();
      if (!volatile.test(text) || namesIdentifier.test(path)) found.push([path, text]);
    }
  };
  collect(fields, '', 0);
  return found.filter(([, value]) => value).sort(([a], [b]) => (a < b ? -1 : 1));
}

const maxDepth = 8;

/** A number, a date, or a URL, which may be signed anew each time. */
const volatile = /^(-?\d+([.,]\d+)?(e[+-]?\d+)?|\d{4}-\d\d-\d\d.*|[a-z]+:\/\/.*)$/i;

/** Names of fields with stable numbers, such as `uid`, `account_no` and `memberId`. */
const namesIdentifier = /([/_-](u?id|uuid|guid|no|number)|Id|ID|No|Number)$/;
