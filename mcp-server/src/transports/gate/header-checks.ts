/** The gate's checks of the method and the headers, one middleware for each. */
import { hostnameOf, isLoopbackName } from '../listening/address.ts';
import { errorCode, refusal, type Middleware } from './exchange.ts';

/**
 * Rejects a request whose Host header does not name this server: protection against DNS rebinding.
 *
 * @param allowedHosts `mcp.example.com` for any port, `mcp.example.com:8443` for one. Loopback names are always
 *   accepted, because a browser never sends them for another site's name.
 */
export function checkHost(allowedHosts: readonly string[]): Middleware {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const refused = refusal(403, errorCode.refused, 'Forbidden: this Host is not served.');
  return ({ request }) => {
    const host = request.headers.host?.toLowerCase() ?? '';
    const hostname = hostnameOf(host);
    if (isLoopbackName(hostname) || allowed.has(host) || allowed.has(hostname)) return undefined;
    return refused;
  };
}

/**
 * Rejects requests from pages of other sites. A request without an Origin header is not a cross-site request of a
 * browser. Because the Host was checked before, an Origin equal to it is a page of this server.
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

/** The response headers of a preflight request from an allowed origin (CORS). */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '600',
};

/** Rejects other methods than the endpoint's: POST only without sessions; GET and DELETE need a session. */
export function checkMethod(methods: readonly string[]): Middleware {
  const refused = refusal(405, errorCode.refused, 'Method not allowed.', {
    allow: methods.join(', '),
  });
  return ({ request }) => (methods.includes(request.method ?? '') ? undefined : refused);
}

/** Requires a JSON content type: a page can send forms and plain text across origins without a preflight request. */
export function checkContentType(): Middleware {
  const refused = refusal(
    415,
    errorCode.refused,
    'Unsupported Media Type: Content-Type must be application/json.',
  );
  return ({ request }) => {
    if (request.method !== 'POST') return undefined;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const type = request.headers['content-type'] ?? '';
    const [mediaType = '', ...parameters] = type.split(';');
    const charset = parameters.map((each) => each.trim().toLowerCase());
    const isUtf8 = charset.every(
      (each) => !each.startsWith('charset=') || /^charset="?utf-8"?$/.test(each),
    );
    return mediaType.trim().toLowerCase() === 'application/json' &&
      isUtf8 &&
      encoding === 'identity'
      ? undefined
      : refused;
  };
}

/**
 * Requires an Accept header with the types that the endpoint returns: an event stream for a GET; both JSON and
 * event streams for a POST, as the protocol requires of clients.
 */
export function checkAccept(): Middleware {
  const neither = refusal(
    406,
    errorCode.refused,
    'Not Acceptable: Accept must list application/json and text/event-stream.',
  );
  const noStream = refusal(
    406,
    errorCode.refused,
    'Not Acceptable: Accept must list text/event-stream.',
  );
  return ({ request }) => {
    if (request.method !== 'POST' && request.method !== 'GET') return undefined;
    const ranges = rangesOf(request.headers.accept ?? '');
    if (request.method === 'GET') return takes(ranges, eventStream) ? undefined : noStream;
    return takes(ranges, json) && takes(ranges, eventStream) ? undefined : neither;
  };
}

const json = ['application/json', 'application/*', '*/*'];
const eventStream = ['text/event-stream', 'text/*', '*/*'];

/** Parses an Accept header: whether each range is acceptable, that is, has no `q=0`. */
function rangesOf(header: string): ReadonlyMap<string, boolean> {
  return new Map(
    header.split(',').map((range) => {
      const [name = '', ...parameters] = range.toLowerCase().split(';');
      return [name.trim(), !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each))];
    }),
  );
}

/** The most specific matching range decides (RFC 9110, section 12.5.1). */
function takes(ranges: ReadonlyMap<string, boolean>, names: readonly string[]): boolean {
  const best = names.find((name) => ranges.has(name));
  return best !== undefined && ranges.get(best) === true;
}
