/**
 * One ticket for each request that the edge sends to the site. The site never sees it: the preload keeps it,
 * and derives a ticket for each call from it, by which the internal API knows whose request is being served.
 * A site can see the calls' tickets (`diagnostics_channel` shows headers as they are sent), so each is valid
 * once.
 */
import { randomBytes } from 'node:crypto';

import { seal } from './call-ticket.mjs';
import type { Session } from './sessions.ts';

export { TICKET_HEADER } from './call-ticket.mjs';

/**
 * Milliseconds after the response in which a request's ticket still serves calls that were already on their
 * way.
 */
const GRACE_MS = 1_000;
/**
 * The same after the visitor disconnected. A busy site may notice that only later; the calls it makes until then are
 * part of the request.
 */
const GRACE_OF_LEFT_MS = 60_000;
/** How many finished requests are remembered, so that a late call can be attributed. */
const KEPT_COUNT = 20_000;

export interface SiteRequest {
  id: string;
  method: string;
  /** Path and query. */
  path: string;
  /** The id of the persona who was signed in when the request arrived; null for a stranger. */
  persona: string | null;
}

export interface Ticket {
  name: string;
  /** What the edge sends to the site. */
  value: string;
  siteRequest: SiteRequest;
  /** The visitor's session; each call checks that it is still valid. */
  sessionId: string | null;
  /** Whether a `/user` call of this site request has passed. */
  guardPassed: boolean;
  /** When it expires, in milliseconds since the epoch. */
  expiresAt: number;
  /** The visitor disconnected before the response. */
  isLeft: boolean;
  /** The numbers of the calls that were made with it. */
  used: Set<number>;
}

/** The result of redeeming a call's ticket. A forged or forgotten ticket belongs to nobody. */
export type Redeemed =
  | { kind: 'nobody' }
  /** Minted before the last reset. A forged ticket is `nobody`. */
  | { kind: 'before_reset' }
  /** Its request may have ended. */
  | { kind: 'valid'; ticket: Ticket }
  /** The ticket was used before, or was made for another method or path. */
  | { kind: 'replayed'; ticket: Ticket };

export interface Tickets {
  mint(request: { method: string; path: string; session: Session | null }): Ticket;
  /** Uses up the ticket of one call, which must match its method and path. */
  redeem(callTicket: string, method: string, path: string): Redeemed;
  /**
   * The site request has ended (answered, aborted by the visitor, or upgraded to a WebSocket): the ticket
   * expires after a short grace period.
   */
  retire(ticket: Ticket, how: 'answered' | 'left' | 'upgraded'): void;
  /** Invalidates every ticket at once. */
  reset(): void;
}

/** Creates an empty set of tickets. */
export function createTickets(): Tickets {
  const alive = new Map<string, Ticket>();
  const retired = new Set<string>();
  let requestCount = 0;
  /** Number of resets. Each ticket's name begins with it. */
  let resets = 0;
  /**
   * A ticket's secret is derived from this key and its name, so tickets from before a reset are recognized
   * without being stored.
   */
  const key = randomBytes(32).toString('base64url');
  const secretOf = (name: string): string => seal(key, name);

  return {
    mint({ method, path, session }) {
      requestCount += 1;
      const name = `${resets}.${requestCount}`;
      const ticket: Ticket = {
        name,
        value: `${name}.${secretOf(name)}`,
        siteRequest: {
          id: `req_${requestCount}`,
          method,
          path,
          persona: session?.personaId ?? null,
        },
        sessionId: session?.id ?? null,
        guardPassed: false,
        expiresAt: Infinity,
        isLeft: false,
        used: new Set(),
      };
      alive.set(name, ticket);
      return ticket;
    },
    redeem(callTicket, method, path) {
      const [, name = '', age, number, code] =
        /^((\d+)\.\d+)\.(\d+)\.([\w-]+)$/.exec(callTicket) ?? [];
      const isGenuine = code === seal(secretOf(name), `${number} ${method} ${path}`);
      const ticket = alive.get(name);
      if (!ticket) {
        return { kind: isGenuine && Number(age) < resets ? 'before_reset' : 'nobody' };
      }
      if (!isGenuine || ticket.used.has(Number(number))) return { kind: 'replayed', ticket };
      ticket.used.add(Number(number));
      return { kind: 'valid', ticket };
    },
    retire(ticket, how) {
      ticket.isLeft = how === 'left';
      ticket.expiresAt = Date.now() + (how === 'answered' ? GRACE_MS : GRACE_OF_LEFT_MS);
      retired.add(ticket.name);
      const [oldest] = retired;
      if (retired.size <= KEPT_COUNT || oldest === undefined) return;
      retired.delete(oldest);
      alive.delete(oldest);
    },
    reset() {
      resets += 1;
      alive.clear();
      retired.clear();
    },
  };
}
