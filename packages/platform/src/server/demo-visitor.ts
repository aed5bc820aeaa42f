/**
 * Visitors of the offline demo (W31): each browser is its own visitor, identified by a cookie that
 * the first page sets. A data or resource request without the cookie comes from a browser that
 * keeps no cookies, and counts as signed out.
 */
import { randomUUID } from 'node:crypto';
import { createFrameCookie } from '@gatehouse/frame/server';
import type { PlatformContext } from './guard.ts';

export interface DemoVisitor {
  profile: { id: string; name: string };
  /** The `Set-Cookie` header for a new visitor. Null for a returning one. */
  setCookie: string | null;
}

const cookie = createFrameCookie('__Host-demo_visitor');

/** The 401 body for a browser that keeps no cookies. */
export const demoUnknown = { error: 'demo_needs_cookie' } as const;

/** Memoised per request, so that every loader sees the same visitor. */
const visitors = new WeakMap<PlatformContext, Promise<DemoVisitor | null>>();

/** Null when the visitor cannot be identified. */
export function demoVisitorOf(context: PlatformContext): Promise<DemoVisitor | null> {
  let visitor = visitors.get(context);
  if (!visitor) {
    visitor = readVisitor(context);
    visitors.set(context, visitor);
  }
  return visitor;
}

async function readVisitor({ cookie: sent, kind }: PlatformContext): Promise<DemoVisitor | null> {
  const known: unknown = await cookie.parse(sent || null);
  if (typeof known === 'string' && /^[\da-f-]{36}$/.test(known)) return visitorOf(known, null);
  if (kind === 'data' || kind === 'resource') return null;
  const key = randomUUID();
  return visitorOf(key, await cookie.serialize(key));
}

function visitorOf(key: string, setCookie: string | null): DemoVisitor {
  return { profile: { id: `demo_${key}`, name: 'Demo visitor' }, setCookie };
}
