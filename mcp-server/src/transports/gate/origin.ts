/** A page of another site may not call. Pages of allowed origins may, with what browsers ask for first (CORS). */
import { errorCode, refusal, type Middleware } from './exchange.ts';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'accept, authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '600',
};

/**
 * A request without an Origin is no browser's call across sites. Behind the Host check, an Origin with
 * the request's own Host is this server's own page.
 *
 * @param allowedOrigins As a browser sends them: `https://app.example.com`.
 */
export function checkOrigin(allowedOrigins: readonly string[]): Middleware {
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  const refused = refusal(403, errorCode.refused, 'Forbidden: this Origin may not call.');
  return ({ request, response }) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return undefined;
    const given = origin.toLowerCase();
    const own = host?.toLowerCase() ?? '';
    const isAllowed = allowed.has(given) || given === `http://${own}` || given === `https://${own}`;
    if (!isAllowed) return refused;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
    response.setHeader('vary', 'origin');
    return request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined
      ? { status: 204, headers: preflightHeaders }
      : undefined;
  };
}
