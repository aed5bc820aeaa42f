/**
 * Limits the event streams that one visitor holds open on this process. A stream keeps a connection
 * to the site and one to the platform for as long as the page is open, and over HTTP/1.1 a browser
 * opens only six connections per host: tabs that cannot share a stream would block the page.
 */
import type { PassedGuard } from './guard-results.ts';
import { toSafeProfile } from '../profile.ts';

const mostPerVisitor = 2;

/** Open streams by the visitor's {@link toSafeProfile} key. */
const open = new Map<string, number>();

/**
 * Counts a stream until it is released.
 *
 * @returns releases the stream; may be called more than once. Null when the visitor holds as many as
 *   allowed: respond with 204, upon which a browser stops reconnecting and the page polls.
 */
export function holdEventStream({ user }: PassedGuard): (() => void) | null {
  const { key } = toSafeProfile(user);
  // A profile that identifies nobody may be anybody's: one visitor must not use up another's.
  if (!key) return () => undefined;
  const before = open.get(key) ?? 0;
  if (before >= mostPerVisitor) return null;
  open.set(key, before + 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (open.get(key) ?? 1) - 1;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  };
}
