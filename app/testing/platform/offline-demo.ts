/** The SDK in the offline demo: import it first, for a whole test file. Nothing may open a connection. */
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { demoVisitorOf, type PlatformContext } from '@gatehouse/platform/server';
import { checkPlatformUser, createPlatformSdk, type PlatformSdk } from '~/platform.server';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);

/** One entry for each connection that anything in this process tried to open. */
export const connections: unknown[] = [];

beforeEach(() => {
  connections.length = 0;
  vi.useFakeTimers({ toFake: ['Date'] });
  // Every client's connection starts here, with or without TLS.
  vi.spyOn(Socket.prototype, 'connect').mockImplementation((...call: unknown[]) => {
    connections.push(call);
    throw new Error('the demo opened a connection');
  });
});
afterEach(() => {
  vi.useRealTimers();
  expect(connections).toEqual([]);
});

/** Advances the time. */
export const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

export interface Browser {
  cookie: string;
  id: string;
}

/** The cookie and id that a browser keeps from its first page. */
export async function newBrowser(): Promise<Browser> {
  const visitor = await demoVisitorOf({ cookie: '', kind: 'document' });
  const [cookie = ''] = visitor?.setCookie?.split(';') ?? [];
  return { cookie, id: visitor?.profile.id ?? '' };
}

export async function openSdk(
  context: PlatformContext = {},
  workspace?: string,
): Promise<PlatformSdk> {
  const guard = await checkPlatformUser({ ...context });
  if (!guard.ok) throw new Error('the guard failed');
  return createPlatformSdk(guard, { workspace });
}
