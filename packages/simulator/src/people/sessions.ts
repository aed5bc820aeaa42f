/** The sessions. Each is an opaque id in a cookie that only the edge sees. */
import { createHash, randomBytes } from 'node:crypto';

import type { Clock } from '../clock.ts';

export const SESSION_COOKIE = '__Host-platform_session';

/** Eight hours, by the session clock. */
const LIFETIME_MS = 8 * 60 * 60 * 1000;
const SWITCH_CODE_LIFETIME_MS = 60_000;
const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=None';

export interface Session {
  id: string;
  personaId: string;
  expiresAt: number;
}

export interface Sessions {
  /** Begins a session, always with a new id. */
  create(personaId: string): Session;
  /** The valid session with this id. */
  find(id: string): Session | null;
  end(id: string): void;
  /** Ends every session, or every session of one persona. Returns how many there were. */
  revokeAll(personaId?: string): number;
  /** A one-time code that signs a frame in as this persona, valid for a minute. */
  mintSwitchCode(personaId: string): string;
  /** The persona of a code, or null; each code can be redeemed once. */
  redeemSwitchCode(code: string): string | null;
  reset(): void;
}

/** Creates an empty session store, whose sessions expire by `clock`. */
export function createSessions(clock: Clock): Sessions {
  const live = new Map<string, Session>();
  const codes = new Map<string, { personaId: string; expiresAt: number }>();

  const sessions: Sessions = {
    create(personaId) {
      const session = { id: newSecret(), personaId, expiresAt: clock.now() + LIFETIME_MS };
      live.set(session.id, session);
      return session;
    },
    find(id) {
      const session = live.get(id);
      if (!session) return null;
      if (session.expiresAt > clock.now()) return session;
      live.delete(id);
      return null;
    },
    end: (id) => void live.delete(id),
    revokeAll(personaId) {
      const doomed = [...live.values()].filter(
        (session) => personaId === undefined || session.personaId === personaId,
      );
      for (const session of doomed) live.delete(session.id);
      return doomed.length;
    },
    mintSwitchCode(personaId) {
      const code = newSecret();
      codes.set(code, { personaId, expiresAt: Date.now() + SWITCH_CODE_LIFETIME_MS });
      return code;
    },
    redeemSwitchCode(code) {
      const found = codes.get(code);
      codes.delete(code);
      return found && found.expiresAt > Date.now() ? found.personaId : null;
    },
    reset() {
      live.clear();
      codes.clear();
    },
  };
  return sessions;
}

/**
 * Reads the session cookie of one request. Two different values (a partitioned and an unpartitioned cookie,
 * say) count as none: a wrong guess would show one person another's data.
 */
export function sessionIdFrom(cookieHeader: string | undefined): string | null {
  const ids = new Set(
    cookiePairs(cookieHeader)
      .filter((pair) => cookieName(pair) === SESSION_COOKIE)
      .map((pair) => pair.slice(pair.indexOf('=') + 1).trim()),
  );
  const [id] = ids;
  return ids.size === 1 && id ? id : null;
}

/** The `Cookie` header for the site, without the session. Undefined when nothing is left. */
export function withoutSessionCookie(cookieHeader: string | undefined): string | undefined {
  const rest = cookiePairs(cookieHeader).filter((pair) => cookieName(pair) !== SESSION_COOKIE);
  return rest.length > 0 ? rest.join('; ') : undefined;
}

/** `Set-Cookie` values that begin a session, and remove an unpartitioned cookie that could conflict. */
export function sessionCookies(session: Session): string[] {
  return [
    `${SESSION_COOKIE}=; ${COOKIE_ATTRIBUTES}; Max-Age=0`,
    `${SESSION_COOKIE}=${session.id}; ${COOKIE_ATTRIBUTES}; Partitioned`,
  ];
}

/** `Set-Cookie` values that remove the session, partitioned or not. */
export function clearedSessionCookies(): string[] {
  const cleared = `${SESSION_COOKIE}=; ${COOKIE_ATTRIBUTES}; Max-Age=0`;
  return [cleared, `${cleared}; Partitioned`];
}

/** A short hash of a session's id, by which a page can recognize its own session without learning the id. */
export function sessionTag(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex').slice(0, 12);
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function cookiePairs(header: string | undefined): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
}

function cookieName(pair: string): string {
  const equals = pair.indexOf('=');
  return (equals < 0 ? pair : pair.slice(0, equals)).trim();
}
