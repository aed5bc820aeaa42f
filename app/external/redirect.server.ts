/** The one way to send a visitor to another site: to an origin that the code names. */
import { allowedToLeave } from 'site-server/route';

/**
 * A redirect to another site, to be returned or thrown by a loader or an action.
 *
 * @param target an absolute `https` address.
 * @param allowedOrigins where it may lead, such as `['https://pay.example']`. Written in the code, never
 *   taken from a request.
 * @throws {TypeError} the target has another origin, carries credentials, or is no address at all.
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
    throw new TypeError('externalRedirect leads only to the origins that it was given.');
  }
  const headers = { location: url.href, 'cache-control': 'no-store' };
  return Object.assign(new Response(null, { status, headers }), { [allowedToLeave]: true });
}
