/**
 * Who is who in the offline demo (W31): each browser is a person of its own, told by a cookie. The first page gives
 * it; whoever comes without it to anything but a page keeps no cookies, and is nobody.
 */
import { randomUUID } from 'node:crypto';
import { createFrameCookie } from '~/frame/cookies.server';
import type { PlatformContext } from './platform.server';

export interface DemoVisitor {
  profile: { id: string; name: string };
  /** The `Set-Cookie` header by which a new one is known again. Null for one who is known. */
  setCookie: string | null;
}

const cookie = createFrameCookie('__Host-demo_visitor');

/** One answer a request, so that all of it is about the same person. */
const visitors = new WeakMap<PlatformContext, Promise<DemoVisitor | null>>();

/** Null where nobody can be told from anybody else. */
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
