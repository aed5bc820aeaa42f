/** The gate's checks of the method and the headers, one middleware for each. */
import type { IncomingMessage } from 'node:http';
import { echo } from '../../adapters/protocol-error.ts';
import {
  isLoopbackName,
  isOwnOrigin,
  parseOrigin,
  readHost,
  type Host,
} from '../listening/address.ts';
import { refusal, type Middleware } from './exchange.ts';

/**
 * Rejects a request whose Host header does not name this server: protection against DNS rebinding.
 *
 * @param allowedHosts `mcp.example.com` for any port, `mcp.example.com:8443` for one; with a scheme's default port,
 *   which clients leave out, for a Host without one. Loopback names are always accepted, because a browser never
 *   sends them for another site's name.
 */
export function checkHost(allowedHosts: readonly string[]): Middleware {
  const allowed = new Set(allowedHosts.map((host) => written(readHost(host))));
  return ({ request }) => {
    const { host = '' } = request.headers;
    const { hostname, port } = readHost(host);
    if (isLoopbackName(hostname) || allowed.has(hostname)) return undefined;
    const ports = port === undefined ? ['80', '443'] : [port];
    if (ports.some((each) => allowed.has(written({ hostname, port: each })))) return undefined;
    return refusal(
      403,
      `Forbidden: this Host is not served. It is "${echo(host)}"; the server's operator can add it to MCP_ALLOWED_HOSTS.`,
    );
  };
}

function written({ hostname, port }: Host): string {
  return port === undefined ? hostname : `${hostname}:${port}`;
}

/**
 * Rejects requests from pages of other sites. A request without an Origin header is not a cross-site request of a
 * browser. Because the Host was checked before, an Origin equal to it is a page of this server.
 *
 * @param allowedOrigins As a browser sends them: `https://app.example.com`.
 */
export function checkOrigin(allowedOrigins: readonly string[]): Middleware {
  const allowed = new Set(allowedOrigins.map(parseOrigin));
  return ({ request, response }) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return undefined;
    const given = parseOrigin(origin);
    const isAllowed = given !== undefined && (allowed.has(given) || isOwnOrigin(given, host));
    if (!isAllowed) {
      return refusal(
        403,
        `Forbidden: this Origin may not call. It is "${echo(origin)}"; the server's operator can add it to MCP_ALLOWED_ORIGINS.`,
      );
    }
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
    response.setHeader('vary', 'origin');
    return isPreflight(request) ? { status: 204, headers: preflightHeaders } : undefined;
  };
}

/**
 * Lets pages of any origin read the response: of public paths, such as those at which clients look for OAuth. They
 * send headers with which browsers ask first.
 */
export function openToAnyOrigin(): Middleware {
  return ({ request, response }) => {
    response.setHeader('access-control-allow-origin', '*');
    return isPreflight(request) ? { status: 204, headers: preflightHeaders } : undefined;
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** The response headers of an accepted preflight request (CORS). */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'accept, authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
  'access-control-max-age': '600',
};

/** Rejects other methods than the endpoint's: POST only without sessions; GET and DELETE need a session. */
export function checkMethod(methods: readonly string[]): Middleware {
  const allow = methods.join(', ');
  const sessions = methods.includes('GET') ? '' : ' GET and DELETE need MCP_SESSIONS=1.';
  return ({ request: { method = '' } }) =>
    methods.includes(method)
      ? undefined
      : refusal(
          405,
          `Method not allowed: ${echo(method)}, where the methods are ${allow}.${sessions}`,
          { allow },
        );
}

/** Requires a JSON content type: a page can send forms and plain text across origins without a preflight request. */
export function checkContentType(): Middleware {
  const refused = (reason: string) => refusal(415, `Unsupported Media Type: ${reason}.`);
  return ({ request }) => {
    if (request.method !== 'POST') return undefined;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const type = request.headers['content-type'] ?? '';
    const [mediaType = '', ...parameters] = type.split(';');
    if (mediaType.trim().toLowerCase() !== 'application/json') {
      return refused(`Content-Type must be application/json, and is "${echo(type)}"`);
    }
    const charsets = parameters
      .map((each) => each.trim().toLowerCase())
      .filter((each) => each.startsWith('charset='));
    if (!charsets.every((each) => /^charset="?utf-?8"?$/.test(each))) {
      return refused(`the charset of Content-Type must be utf-8, and it is "${echo(type)}"`);
    }
    return encoding.toLowerCase() === 'identity'
      ? undefined
      : refused(
          `a body must be sent uncompressed, and its Content-Encoding is "${echo(encoding)}"`,
        );
  };
}

/**
 * Requires an Accept header with the types that the endpoint returns: an event stream for a GET; both JSON and
 * event streams for a POST, as the protocol requires of clients.
 */
export function checkAccept(): Middleware {
  return ({ request }) => {
    if (request.method !== 'POST' && request.method !== 'GET') return undefined;
    const { accept = '' } = request.headers;
    const ranges = rangesOf(accept);
    const isPost = request.method === 'POST';
    if (takes(ranges, eventStream) && (!isPost || takes(ranges, json))) return undefined;
    const types = isPost ? 'application/json and text/event-stream' : 'text/event-stream';
    const message = `Not Acceptable: Accept must list ${types}, and is "${echo(accept)}".`;
    return refusal(406, message);
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
