/**
 * One ticket for each request that the edge sends to the site. The site never sees it: the preload keeps it, and
 * makes of it a ticket for each call, by which the internal API learns whose request is being served. Those a site
 * can see (`diagnostics_channel` shows headers as they are sent), so each is good once.
 */
import { randomBytes } from 'node:crypto';

import { seal } from './call-ticket.mjs';
import type { Session } from './sessions';

export { TICKET_HEADER } from './call-ticket.mjs';

/** Milliseconds in which an answered request's ticket serves calls that were on their way. */
const GRACE_MS = 1_000;
/** The same where the visitor left first: the site may not have noticed. */
const GRACE_OF_LEFT_MS = 10_000;
/** Requests that are over, and of which a late call can still tell. */
const KEPT_COUNT = 20_000;

export interface SiteRequest {
  id: string;
  method: string;
  /** Path and query. */
  path: string;
  /** Who was signed in when it came; null for a stranger. */
  persona: string | null;
}

export interface Ticket {
  name: string;
  /** What the edge sends to the site. */
  value: string;
  siteRequest: SiteRequest;
  /** The visitor's session; whether it still lives is asked at each call. */
  sessionId: string | null;
  /** Whether a `/user` call of this site request has passed. */
  guardPassed: boolean;
  /** Until when it serves, in milliseconds since the epoch. */
  expiresAt: number;
  /** The visitor went away before an answer. */
  isLeft: boolean;
  /** The numbers of the calls that were made with it. */
  used: Set<number>;
}

/** Whose call it is. A ticket that was made up, or that nothing is known of any more, is nobody's. */
export type Redeemed =
  | { kind: 'nobody' }
  /** Minted before the last reset. A forged ticket is `nobody`. */
  | { kind: 'before_reset' }
  /** Its request may be over. */
  | { kind: 'valid'; ticket: Ticket }
  /** Another call came with it already, or it was made for another method or path. */
  | { kind: 'replayed'; ticket: Ticket };

export interface Tickets {
  mint(request: { method: string; path: string; session: Session | null }): Ticket;
  /** Uses up the ticket of one call, with the method and the path that it came with. */
  redeem(callTicket: string, method: string, path: string): Redeemed;
  /** The site request is over, answered, left by the visitor or a WebSocket by now: the ticket dies after a short grace. */
  retire(ticket: Ticket, how: 'answered' | 'left' | 'upgraded'): void;
  /** Every ticket dies at once. */
  reset(): void;
}

/** Makes an empty set of tickets. */
export function createTickets(): Tickets {
  const alive = new Map<string, Ticket>();
  const retired = new Set<string>();
  let requestCount = 0;
  /** Resets so far. Each ticket's name begins with their number. */
  let resets = 0;
  /** A ticket's secret is derived from this key and its name, so tickets from before a reset are known without being kept. */
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
