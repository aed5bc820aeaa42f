// @ts-check
/**
 * Attaches the visitor's identity to the site's server calls, out of the site's sight.
 *
 * Loaded by `node --import` before the site. It takes the edge's ticket off each incoming request,
 * remembers it for everything that the request sets off, and adds it to calls whose origin is
 * exactly the platform's internal one. It does so above undici's connection pool, because a pooled
 * connection outlives the request that opened it and would carry one visitor's ticket for another.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, Server } from 'node:http';
import { Socket } from 'node:net';

import { Agent, setGlobalDispatcher } from 'undici';

const TICKET_HEADER = 'x-platform-visitor';
const CARRIES_A_REQUEST = new Set(['request', 'upgrade', 'checkContinue', 'checkExpectation']);

const internalOrigin = readInternalOrigin();
const headersCount = findHeadersCount();
/** @type {AsyncLocalStorage<string | undefined>} */
const ticketOfRequest = new AsyncLocalStorage();

const emit = Server.prototype.emit;

/**
 * @this {Server}
 * @param {string} event
 */
Server.prototype.emit = function (event) {
  // Not a rest array: this runs for every event of every server.
  const details = arguments;
  if (!CARRIES_A_REQUEST.has(event)) return Reflect.apply(emit, this, details);
  const ticket = takeTicket(details[1]);
  // A pipelined request may begin inside the one before it, and must not inherit from it.
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
        const headers = withoutTicket(options.headers);
        const ticket = ticketOfRequest.getStore();
        if (ticket !== undefined) headers.push(TICKET_HEADER, ticket);
        // undici would follow a redirect below this point and take the ticket along to anywhere.
        const call = { ...options, headers, maxRedirections: 0 };
        return dispatch(call, handler);
      },
  ),
);

/**
 * Removes the ticket from every view that a request gives of its headers. Two tickets are none.
 *
 * @param {IncomingMessage} request
 * @returns {string | undefined}
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
  return found?.size === 1 ? found.values().next().value : undefined;
}

/**
 * `headers` may have been built already; `headersDistinct` is built later from `rawHeaders` and a
 * count that must shrink along.
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
 * Cheap for the many names that are nothing like it.
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
 * The headers of an outgoing call as one flat list, without any ticket the site made up.
 *
 * @param {import('undici').Dispatcher.DispatchOptions['headers']} headers
 * @returns {string[]}
 */
function withoutTicket(headers) {
  /** @type {string[]} */
  const kept = [];
  for (const [name, value] of headerPairs(headers)) {
    if (isTicketHeader(name) || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) kept.push(name, String(one));
  }
  return kept;
}

/**
 * undici takes a flat list, an object, or anything that yields pairs.
 *
 * @param {import('undici').Dispatcher.DispatchOptions['headers']} headers
 * @returns {Iterable<[string, string | string[] | undefined]>}
 */
function headerPairs(headers) {
  if (!headers) return [];
  if (Array.isArray(headers)) return flatPairs(headers);
  return /** @type {Iterable<[string, string | string[] | undefined]>} */ (
    Symbol.iterator in headers ? headers : Object.entries(headers)
  );
}

/** @param {string[]} flat */
function* flatPairs(flat) {
  for (let index = 0; index < flat.length; index += 2) {
    yield /** @type {[string, string]} */ ([flat[index], flat[index + 1]]);
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

/** Node's private count behind `headersDistinct`. Without it the slower public way is taken. */
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
