// @ts-check
/**
 * Attaches the visitor's identity to the site's calls to the platform, invisibly to the site.
 *
 * Loaded with `node --import` before the site. It removes the edge's ticket from each incoming request, keeps
 * it in an `AsyncLocalStorage` for everything that the request triggers, and adds a ticket derived from it to
 * each call whose origin is exactly the platform's internal one, made with fetch, undici or node:http. It
 * does so above the connection pools, because a pooled connection outlives the request that opened it and
 * would otherwise carry one visitor's ticket for another.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import http, { IncomingMessage, Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { stringify } from 'node:querystring';
import { urlToHttpOptions } from 'node:url';

import { Agent, setGlobalDispatcher } from 'undici';

import { callTicket, TICKET_HEADER } from './people/call-ticket.mjs';

/** @typedef {string | number | string[] | undefined} HeaderValue */

const CARRIES_A_REQUEST = new Set(['request', 'upgrade', 'checkContinue', 'checkExpectation']);

const internalOrigin = readInternalOrigin();
const internalAddress = new URL(internalOrigin);
const headersCount = findHeadersCount();
/** @type {WeakMap<IncomingMessage, string>} */
const tickets = new WeakMap();
/** @type {AsyncLocalStorage<string | undefined>} */
const ticketOfRequest = new AsyncLocalStorage();
/**
 * Starts at a random number, because the edge may send one request, with its ticket, to two processes of the
 * site.
 */
let callCount = randomInt(2 ** 29);

// Subscribers are called before any listener gets the request, and in the order of subscription.
subscribe('http.server.request.start', (message) => {
  takeTicket(/** @type {{ request: IncomingMessage }} */ (message).request);
});

const emit = Server.prototype.emit;

/**
 * @this {Server}
 * @param {string} event
 */
Server.prototype.emit = function (event) {
  // `arguments` instead of rest parameters: this runs for every event of every server.
  const details = arguments;
  if (!CARRIES_A_REQUEST.has(event)) return Reflect.apply(emit, this, details);
  // The diagnostics channel does not report upgrades.
  if (event === 'upgrade') takeTicket(details[1]);
  const ticket = tickets.get(details[1]);
  // A pipelined request may start within the previous one's context, and must not inherit it.
  if (ticket === undefined && ticketOfRequest.getStore() === undefined) {
    return Reflect.apply(emit, this, details);
  }
  return ticketOfRequest.run(ticket, () => Reflect.apply(emit, this, details));
};

setGlobalDispatcher(
  new Agent().compose(
    (dispatch) =>
      function attachIdentity(options, handler) {
        if (originOf(options.origin) !== internalOrigin) return dispatch(options, handler);
        const { method, path, query } = options;
        const sentPath = query ? `${path}?${stringify(query)}` : path;
        const headers = /** @type {string[]} */ (withTicket(options.headers, method, sentPath));
        // undici would follow a redirect below this interceptor and send the ticket along to any origin.
        const call = { ...options, headers, maxRedirections: 0 };
        return dispatch(call, handler);
      },
  ),
);

Object.assign(http, { request: attaching(http.request), get: attaching(http.get) });
// For modules that import the two by name.
syncBuiltinESMExports();

/**
 * @param {(...given: any[]) => http.ClientRequest} begin
 * @returns {(...given: unknown[]) => http.ClientRequest}
 */
function attaching(begin) {
  return (...given) => begin(...withIdentity(given));
}

/**
 * The arguments of a node:http call, with its ticket if the call is internal.
 *
 * @param {unknown[]} given an address, options or both, and perhaps a callback.
 * @returns {unknown[]}
 */
function withIdentity([first, ...rest]) {
  // Parsed here, so that Node need not parse it again.
  const address = typeof first === 'string' ? new URL(first) : first;
  const isAddress = address instanceof URL;
  const [own] = /** @type {http.RequestOptions[]} */ (isAddress ? rest : [first]);
  if (!isInternal(isAddress ? address : undefined, own)) return [address, ...rest];
  const options = { ...(isAddress && urlToHttpOptions(address)), ...own };
  const { method, path, headers } = options;
  const list = withTicket(headers, method?.toUpperCase() || 'GET', path || '/');
  // Node sends an array of headers as is, and adds headers of its own to an object.
  options.headers = Array.isArray(headers)
    ? /** @type {string[]} */ (list)
    : /** @type {http.OutgoingHttpHeaders} */ (Object.fromEntries(flatPairs(list)));
  return [options, rest.find((argument) => typeof argument === 'function')];
}

/**
 * Options take precedence over the address, as in Node.
 *
 * @param {URL | undefined} address
 * @param {http.RequestOptions | undefined} own
 */
function isInternal(address, own) {
  const {
    protocol = address?.protocol ?? 'http:',
    hostname = address?.hostname,
    port = address?.port,
    host,
    socketPath,
  } = own ?? {};
  return (
    !socketPath &&
    protocol === internalAddress.protocol &&
    (hostname || host || 'localhost') === internalAddress.hostname &&
    Number(port || 80) === Number(internalAddress.port || 80)
  );
}

/**
 * Removes the ticket from every view of a request's headers, and remembers it. Two tickets count as none.
 *
 * @param {IncomingMessage} request
 */
function takeTicket(request) {
  const raw = request.rawHeaders;
  /** @type {Set<string> | undefined} */
  let found;
  for (let index = raw.length - 2; index >= 0; index -= 2) {
    const name = /** @type {string} */ (raw[index]);
    if (!isTicketHeader(name)) continue;
    (found ??= new Set()).add(/** @type {string} */ (raw[index + 1]));
    removeHeader(request, index, name.toLowerCase());
  }
  const [ticket] = found ?? [];
  if (found?.size === 1 && ticket !== undefined) tickets.set(request, ticket);
}

/**
 * `headers` may have been built already; `headersDistinct` is built later, from `rawHeaders` and a count that
 * must be reduced as well.
 *
 * @param {IncomingMessage} request
 * @param {number} index
 * @param {string} name
 */
function removeHeader(request, index, name) {
  if (headersCount === undefined) Reflect.deleteProperty(request.headersDistinct, name);
  Reflect.deleteProperty(request.headers, name);
  request.rawHeaders.splice(index, 2);
  if (headersCount === undefined) return;
  const counted = /** @type {Record<symbol, number>} */ (/** @type {unknown} */ (request));
  counted[headersCount] = (counted[headersCount] ?? 0) - 2;
}

/**
 * Checks the length first: most header names are ruled out by it.
 *
 * @param {string} name
 */
function isTicketHeader(name) {
  return (
    name.length === TICKET_HEADER.length &&
    name.toLowerCase().replaceAll('_', '-') === TICKET_HEADER
  );
}

/**
 * The headers of an outgoing call as one flat list, without any ticket that the site forged, and with the
 * call's own.
 *
 * @param {unknown} headers
 * @param {string} method
 * @param {string} path
 * @returns {HeaderValue[]}
 */
function withTicket(headers, method, path) {
  /** @type {HeaderValue[]} */
  const list = [];
  for (const [name, value] of headerPairs(headers)) {
    if (!isTicketHeader(name)) list.push(name, value);
  }
  const ticket = ticketOfRequest.getStore();
  if (ticket === undefined) return list;
  callCount += 1;
  list.push(TICKET_HEADER, callTicket(ticket, callCount, method, path));
  return list;
}

/**
 * Accepts a flat list, an object, or anything that yields pairs.
 *
 * @param {unknown} headers
 * @returns {Iterable<[string, HeaderValue]>}
 */
function headerPairs(headers) {
  if (typeof headers !== 'object' || !headers) return [];
  if (Array.isArray(headers) && !Array.isArray(headers[0])) return flatPairs(headers);
  return /** @type {Iterable<[string, HeaderValue]>} */ (
    Symbol.iterator in headers ? headers : Object.entries(headers)
  );
}

/** @param {HeaderValue[]} flat */
function* flatPairs(flat) {
  for (let index = 0; index < flat.length; index += 2) {
    yield /** @type {[string, HeaderValue]} */ ([flat[index], flat[index + 1]]);
  }
}

/** @param {string | URL | undefined} origin */
function originOf(origin) {
  if (origin === undefined || origin === internalOrigin) return origin;
  return typeof origin === 'string' ? parsedOrigin(origin) : origin.origin;
}

/** @param {string} text */
function parsedOrigin(text) {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Node's private count behind `headersDistinct`. Without it the slower public getter is used. */
function findHeadersCount() {
  const sample = new IncomingMessage(new Socket());
  return Object.getOwnPropertySymbols(sample).find(
    ({ description }) => description === 'kHeadersCount',
  );
}

function readInternalOrigin() {
  const setting = process.env['PLATFORM_INTERNAL_URL'] ?? '';
  const origin = parsedOrigin(setting);
  if (origin === undefined) {
    throw new Error('PLATFORM_INTERNAL_URL must be the address of the platform’s internal API.');
  }
  return origin;
}
