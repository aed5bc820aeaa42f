/**
 * One ticket for each request that the edge sends to the site. The preload carries it back to the
 * internal API, which learns from it whose request is being served; the site never sees it.
 */
import { randomBytes } from 'node:crypto';

/** The header that carries the ticket on both ways. */
export const TICKET_HEADER = 'x-platform-visitor';

/** A finished request's ticket still serves stragglers, but not for long and not for many. */
const GRACE_MS = 10_000;
const GRACE_COUNT = 1_000;

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
}

export interface Tickets {
  mint(request: { method: string; path: string; sessionId: string | null }): Ticket;
  find(value: string): Ticket | null;
  /** Whether a request carried it before the last reset. */
  isOfBefore(value: string): boolean;
  /** The site request is over: the ticket dies after a short grace. */
  retire(ticket: Ticket): void;
  /** Every ticket dies at once. */
  reset(): void;
}

/** Makes an empty set of tickets. */
export function createTickets(): Tickets {
  const alive = new Map<string, Ticket>();
  const retired = new Map<string, number>();
  let requestCount = 0;
  /** Resets so far. Each ticket's value begins with their number. */
  let resets = 0;

  const forgetOld = (): void => {
    const oldest = Date.now() - GRACE_MS;
    for (const [value, at] of retired) {
      if (at > oldest && retired.size <= GRACE_COUNT) return;
      retired.delete(value);
      alive.delete(value);
    }
  };

  return {
    mint({ method, path, sessionId }) {
      requestCount += 1;
      const ticket: Ticket = {
        value: `${resets}.${randomBytes(24).toString('base64url')}`,
        siteRequest: { id: `req_${requestCount}`, method, path },
        sessionId,
        guardPassed: false,
      };
      alive.set(ticket.value, ticket);
      return ticket;
    },
    find(value) {
      forgetOld();
      return alive.get(value) ?? null;
    },
    retire(ticket) {
      retired.set(ticket.value, Date.now());
      forgetOld();
    },
    isOfBefore(value) {
      const [, age] = /^(\d+)\./.exec(value) ?? [];
      return age !== undefined && Number(age) < resets;
    },
    reset() {
      resets += 1;
      alive.clear();
      retired.clear();
    },
  };
}
