/** The one kind of cookie that a frame of another site keeps where third-party cookies are blocked. */
import { createCookie, type Cookie, type CookieSignatureOptions } from '@remix-run/node';

/** `__Host-` needs these: no sibling host can set or overwrite such a cookie. */
const own = { path: '/', httpOnly: true, secure: true } as const;

export const framedCookie = { ...own, sameSite: 'none', partitioned: true } as const;

/** For a site that no page frames: the cookie stays behind when another site sends the visitor here by a form. */
export const unframedCookie = { ...own, sameSite: 'lax' } as const;

export interface FrameCookieOptions extends CookieSignatureOptions {
  /** Seconds. Without it the cookie ends with the browser. */
  maxAge?: number;
}

/**
 * A cookie that no script reads. Each platform page that frames the site has a jar of its own, and so has a tab.
 * What comes back was in a visitor's hands: parse it like any input.
 */
export function createFrameCookie(
  name: `__Host-${string}`,
  options: FrameCookieOptions = {},
): Cookie {
  return createCookie(name, { ...framedCookie, ...options });
}
