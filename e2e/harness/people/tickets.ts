/**
 * One ticket for each request that the edge sends to the site. The preload carries it back to the
 * internal API, which learns from it whose request is being served; the site never sees it.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** The header that carries the ticket on both ways. */
export const TICKET_HEADER = 'x-platform-visitor';

/** Milliseconds in which an answered request's ticket serves calls that were on their way. */
const GRACE_MS = 1_000;
/** The same where the visitor left first: the site may not have noticed. */
const GRACE_OF_LEFT_MS = 10_000;
/** Requests that are over, and of which a late call can still tell. */
const KEPT_COUNT = 1_000;

export interface SiteRequest {
  id: string;
  method: string;
  /** Path and query. */
  path: string;
}

export interface Ticket {
  value: string;
  siteRequest: SiteRequest;
  /** The visitor's session; whether it still lives is asked at each call. */
  sessionId: string | null;
  /** Whether a `/user` call of this site request has passed. */
  guardPassed: boolean;
  /** Until when it serves, in milliseconds since the epoch. */
  expiresAt: number;
}

export interface Tickets {
  mint(request: { method: string; path: string; sessionId: string | null }): Ticket;
  /** The ticket with this value, though its request may be over. */
  find(value: string): Ticket | null;
  /** Whether it was minted before the last reset. A made-up one never was. */
  isOfBefore(value: string): boolean;
  /** The site request is over, answered or left by the visitor: the ticket dies after a short grace. */
  retire(ticket: Ticket, how: 'answered' | 'left'): void;
  /** Every ticket dies at once. */
  reset(): void;
}

/** Makes an empty set of tickets. */
export function createTickets(): Tickets {
  const alive = new Map<string, Ticket>();
  const retired = new Set<string>();
  let requestCount = 0;
  /** Resets so far. Each ticket's value begins with their number. */
  let resets = 0;
  /** By its signature a ticket is known, though nothing of it is kept. */
  const key = randomBytes(32);
  const sign = (name: string): string => createHmac('sha256', key).update(name).digest('base64url');

  return {
    mint({ method, path, sessionId }) {
      requestCount += 1;
      const name = `${resets}.${requestCount}`;
      const ticket: Ticket = {
        value: `${name}.${sign(name)}`,
        siteRequest: { id: `req_${requestCount}`, method, path },
        sessionId,
        guardPassed: false,
        expiresAt: Infinity,
      };
      alive.set(ticket.value, ticket);
      return ticket;
    },
    find: (value) => alive.get(value) ?? null,
    retire(ticket, how) {
      ticket.expiresAt = Date.now() + (how === 'answered' ? GRACE_MS : GRACE_OF_LEFT_MS);
      retired.add(ticket.value);
      const [oldest] = retired;
      if (retired.size <= KEPT_COUNT || oldest === undefined) return;
      retired.delete(oldest);
      alive.delete(oldest);
    },
    isOfBefore(value) {
      const [, name = '', age] = /^((\d+)\.\d+)\./.exec(value) ?? [];
      return Number(age) < resets && value === `${name}.${sign(name)}`;
    },
    reset() {
      resets += 1;
      alive.clear();
      retired.clear();
    },
  };
}
