/** The only way to redirect a visitor to another site: to an origin that is named in the code. */
import { readOrigin } from './origins.ts';
import { allowedToLeave } from './route.ts';

/**
 * A redirect to another site, to return or throw from a loader or action.
 *
 * @param target an absolute `https` URL.
 * @param allowedOrigins for example `['https://pay.example']`. Written in the code, never taken
 *   from a request.
 * @throws {TypeError} when the target has another origin, contains credentials, or is not a URL, and
 *   when one of the allowed origins is malformed.
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
    allowedOrigins.some((allowed) => originOf(allowed) === url.origin);
  if (!isAllowed) {
    throw new TypeError('externalRedirect only redirects to its allowed origins.');
  }
  const headers = { location: url.href, 'cache-control': 'no-store' };
  return Object.assign(new Response(null, { status, headers }), { [allowedToLeave]: true });
}

function originOf(allowed: string): string {
  const reading = readOrigin(allowed);
  if ('value' in reading) return reading.value;
  throw new TypeError(`The allowed origin ${allowed} ${reading.problem}.`);
}
