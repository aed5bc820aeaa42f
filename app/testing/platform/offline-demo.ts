/** The SDK in the offline demo: import it first, for a whole test file. Nothing may open a connection. */
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { demoVisitorOf, type PlatformContext } from '@gatehouse/platform/server';
import { checkPlatformUser, createPlatformSdk, type PlatformSdk } from '~/platform.server';
import { orderOf, type Generation, type Order } from '~/platform/generations/generations';

vi.stubEnv('OFFLINE_DEMO', '1');
vi.stubEnv('PLATFORM_INTERNAL_URL', undefined);

/** One entry for each connection that anything in this process tried to open. */
export const connections: unknown[] = [];
const browsers = new Map<string, Promise<Browser>>();

beforeEach(() => {
  connections.length = 0;
  browsers.clear();
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

/** The SDK of a person, who has a browser of their own in each test. */
export async function open(person: string, workspace?: string): Promise<PlatformSdk> {
  const browser = browsers.get(person) ?? newBrowser();
  browsers.set(person, browser);
  return openSdk(await browser, workspace);
}

export const order = (prompts: string[], more: Partial<Order> = {}): Order => ({
  ...orderOf(...prompts),
  ...more,
});
export const newKey = () => ({ idempotencyKey: randomUUID() });

export async function start(sdk: PlatformSdk, prompt: string, more: Partial<Order> = {}) {
  const [made] = await sdk.generations.submit(order([prompt], more), newKey());
  if (!made) throw new Error('nothing was made');
  return made;
}

export const picture = PNG.sync.write(new PNG({ width: 2, height: 2 }));
export const streamOf = (...parts: Uint8Array[]) => new Blob(parts as BlobPart[]).stream();

export const ids = (items: readonly Generation[]) => items.map(({ id }) => id);
export const balanceOf = async (sdk: PlatformSdk) => (await sdk.credits.history()).balance;
