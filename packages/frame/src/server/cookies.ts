/** The only kind of cookie that a cross-site frame keeps when third-party cookies are blocked. */
import { createCookie, type Cookie, type CookieSignatureOptions } from '@remix-run/node';

/**
 * Required by the `__Host-` prefix: a sibling subdomain can neither set nor overwrite such a
 * cookie.
 */
const own = { path: '/', httpOnly: true, secure: true } as const;

export const framedCookie = { ...own, sameSite: 'none', partitioned: true } as const;

/** For a site that is not framed. `Lax` keeps the cookie out of cross-site form posts. */
export const unframedCookie = { ...own, sameSite: 'lax' } as const;

export interface FrameCookieOptions extends CookieSignatureOptions {
  /** Seconds. Without it, this is a session cookie. */
  maxAge?: number;
}

/**
 * An `HttpOnly` cookie. Partitioned: each platform page that frames the site has its own cookie
 * jar, and so does a top-level tab. The value comes back from the visitor, so parse it like any
 * other input.
 */
export function createFrameCookie(
  name: `__Host-${string}`,
  options: FrameCookieOptions = {},
): Cookie {
  return createCookie(name, { ...framedCookie, ...options });
}
