// @ts-check
/**
 * How the ticket of one call is made of the ticket of the site request that it is for. In JavaScript, because the
 * preload makes these inside the site's process.
 */
import { hash } from 'node:crypto';

/** Carries the edge's ticket to the site, and a call's ticket to the internal API. */
export const TICKET_HEADER = 'x-platform-visitor';

/**
 * A message authentication code. SHA-3 has no length extension, so that a hash over the key and the text is one, at
 * a third of what an HMAC costs in Node; each call of the site pays for it.
 *
 * @param {string} key
 * @param {string} text
 * @returns {string}
 */
export function seal(key, text) {
  return hash('sha3-256', `${key} ${text}`, 'base64url');
}

/**
 * The ticket of one call: good once, and for this method and path alone. Whoever sees it cannot make another.
 *
 * @param {string} siteTicket what the edge sent: a name and a secret, the secret after the last full stop.
 * @param {number} number any that no other call with this ticket has.
 * @param {string} method
 * @param {string} path with the query, as it is sent.
 * @returns {string}
 */
export function callTicket(siteTicket, number, method, path) {
  const dot = siteTicket.lastIndexOf('.');
  const secret = siteTicket.slice(dot + 1);
  return `${siteTicket.slice(0, dot)}.${number}.${seal(secret, `${number} ${method} ${path}`)}`;
}
