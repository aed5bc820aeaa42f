// @ts-check
/**
 * Derives a call's ticket from the ticket of the site request that it belongs to. In JavaScript, because the
 * preload runs this inside the site's process.
 */
import { hash } from 'node:crypto';

/** Carries the edge's ticket to the site, and a call's ticket to the internal API. */
export const TICKET_HEADER = 'x-platform-visitor';

/**
 * A message authentication code. SHA-3 is not open to length extension, so a hash over key and text is a MAC,
 * at a third of the cost of Node's HMAC; each call of the site pays for it.
 *
 * @param {string} key
 * @param {string} text
 * @returns {string}
 */
export function seal(key, text) {
  return hash('sha3-256', `${key} ${text}`, 'base64url');
}

/**
 * The ticket of one call: valid once, and only for this method and path. It does not reveal how to make
 * another.
 *
 * @param {string} siteTicket what the edge sent: a name and a secret, the secret after the last full stop.
 * @param {number} number unique among the calls with this ticket.
 * @param {string} method
 * @param {string} path with the query, as it is sent.
 * @returns {string}
 */
export function callTicket(siteTicket, number, method, path) {
  const dot = siteTicket.lastIndexOf('.');
  const secret = siteTicket.slice(dot + 1);
  return `${siteTicket.slice(0, dot)}.${number}.${seal(secret, `${number} ${method} ${path}`)}`;
}
