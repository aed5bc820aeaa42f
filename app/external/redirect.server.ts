/** The only way to redirect a visitor to another site: to an origin that is named in the code. */
import { allowedToLeave } from 'site-server/route';

/**
 * A redirect to another site, to return or throw from a loader or action.
 *
 * @param target an absolute `https` URL.
 * @param allowedOrigins for example `['https://pay.example']`. Written in the code, never taken
 *   from a request.
 * @throws {TypeError} when the target has another origin, contains credentials, or is not a URL.
 */
export function externalRedirect(
  target: string,
  allowedOrigins: readonly string[],
  status: 302 | 303 = 302,
): Response {
  const url = URL.canParse(target) ? new URL(target) : null;
  const isAllowed =
    url?.protocol === 'https:' &&
    url.username + url.password === '' &&
    allowedOrigins.includes(url.origin);
  if (!isAllowed) {
    throw new TypeError('externalRedirect only redirects to its allowed origins.');
  }
  const headers = { location: url.href, 'cache-control': 'no-store' };
  return Object.assign(new Response(null, { status, headers }), { [allowedToLeave]: true });
}
