/**
 * What the site reads from the platform's profile. The contract shows no field of it, so every field
 * is optional and several spellings are read. These are the safe profile fields of W20.
 */

import { digest } from 'ohash/crypto';

export interface SafeProfile {
  /**
   * Tells one account from another; never shown. A digest, because pages carry it, and they must not carry
   * fields that they do not show (W20). Empty where the profile says nothing.
   */
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

/** Characters of a field that are shown. */
const maxLength = 200;

/** Reads any JSON value. A value that is no profile at all gives an unnamed one. */
export function toSafeProfile(value: unknown): SafeProfile {
  const { evidence, ...shown } = read(value);
  return { key: evidence && digest(evidence), ...shown };
}

/**
 * The same with the browser's own digest: ohash's would be 1.7 kB more on every page.
 *
 * @param key what the server says in {@link profileKeyHeader}.
 * @throws {TypeError} without a key outside a secure context, which has no Web Crypto.
 */
export async function toSafeProfileInBrowser(
  value: unknown,
  key: string | null = null,
): Promise<SafeProfile> {
  const { evidence, ...shown } = read(value);
  return { key: key ?? (evidence && (await digestInBrowser(evidence))), ...shown };
}

/** Of `/api/user` on a plain http site, where a browser cannot make the key. */
export const profileKeyHeader = 'x-profile-key';

interface ReadProfile extends Omit<SafeProfile, 'key'> {
  /** What tells this person from another; empty where nothing does. */
  evidence: string;
}

function read(value: unknown): ReadProfile {
  const fields: Fields = typeof value === 'object' && value !== null ? { ...value } : {};
  const text = (...names: string[]) =>
    textOf(fields, names)?.slice(0, maxLength).toWellFormed() ?? null;
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

/** The first of these fields that says something, whole. */
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
 * What a profile without a known id says of the person. Amounts, dates and addresses are left out: they
 * change between two answers, and the same person would seem to be another.
 */
function stablePart(fields: Fields): [path: string, value: string][] {
  const found: [string, string][] = [
    ['email', textOf(fields, ['email']) ?? ''],
    ['name', textOf(fields, nameFields) ?? ''],
  ];
  const collect = (value: unknown, path: string, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      // Deep enough for any profile, and shallow enough for any stack.
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

/** A number, a date, or an address, which may be signed anew each time. */
const volatile = /^(-?\d+([.,]\d+)?(e[+-]?\d+)?|\d{4}-\d\d-\d\d.*|[a-z]+:\/\/.*)$/i;

/** `uid`, `account_no`, `memberId` */
const namesIdentifier = /([/_-](u?id|uuid|guid|no|number)|Id|ID|No|Number)$/;
