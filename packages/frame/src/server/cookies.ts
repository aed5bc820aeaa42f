/** The only kind of cookie that a cross-site frame keeps when third-party cookies are blocked. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, serialize } from 'cookie';

/**
 * Required by the `__Host-` prefix: a sibling subdomain can neither set nor overwrite such a
 * cookie.
 */
const own = { path: '/', httpOnly: true, secure: true } as const;

export const framedCookie = { ...own, sameSite: 'none', partitioned: true } as const;

/** For a site that is not framed. `Lax` keeps the cookie out of cross-site form posts. */
export const unframedCookie = { ...own, sameSite: 'lax' } as const;

export interface FrameCookieOptions {
  /** Seconds. Without it, this is a session cookie. */
  maxAge?: number;
  /** The first signs. The others are accepted, so that a secret can be replaced. */
  secrets?: string[];
}

/** As Remix and React Router write cookies of their own: to them and back, what visitors have stays valid. */
export interface FrameCookie {
  name: string;
  /** The value in a `Cookie` header. Null without one, or if no secret signed it. */
  parse: (header: string | null) => Promise<unknown>;
  /** A `Set-Cookie` header. */
  serialize: (value: unknown, options?: Pick<FrameCookieOptions, 'maxAge'>) => Promise<string>;
}

/**
 * An `HttpOnly` cookie. Partitioned: each platform page that frames the site has its own cookie
 * jar, and so does a top-level tab. The value comes back from the visitor, so parse it like any
 * other input.
 */
export function createFrameCookie(
  name: `__Host-${string}`,
  { secrets = [], ...options }: FrameCookieOptions = {},
): FrameCookie {
  const [newest] = secrets;
  return {
    name,
    parse(header) {
      const sent = parse(header ?? '')[name];
      if (sent === undefined) return Promise.resolve(null);
      if (sent === '') return Promise.resolve('');
      const texts = newest === undefined ? [sent] : secrets.map((each) => unsigned(sent, each));
      const text = texts.find((each) => each !== null);
      return Promise.resolve(text === undefined ? null : decoded(text));
    },
    serialize(value, own) {
      const text = value === '' ? '' : Buffer.from(JSON.stringify(value)).toString('base64');
      const sent = newest === undefined || text === '' ? text : signed(text, newest);
      return Promise.resolve(serialize(name, sent, { ...framedCookie, ...options, ...own }));
    },
  };
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString());
  } catch {
    return {};
  }
}

function signed(text: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(text).digest('base64');
  return `${text}.${signature.replace(/=+$/, '')}`;
}

/** Null if the secret did not sign it. */
function unsigned(sent: string, secret: string): string | null {
  const text = sent.slice(0, Math.max(sent.lastIndexOf('.'), 0));
  const [given, expected] = [Buffer.from(sent), Buffer.from(signed(text, secret))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : null;
}
