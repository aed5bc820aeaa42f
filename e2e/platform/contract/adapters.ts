/**
 * The SDK through both of its adapters: the offline demo's memory, and HTTP to the simulated
 * platform.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

import { PNG } from 'pngjs';
import { Agent, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

import { checkPlatformUser, createPlatformSdk } from '../../../app/platform.server';
import type { Generation, Order } from '../../../app/platform/generations/generations';
import { createMemorySdk } from '../../../app/platform/memory.server';
import type { PlatformFile } from '@gatehouse/platform/server';
import type { PlatformSdk } from '../../../app/platform/port.server';
import { callTicket, TICKET_HEADER } from '@gatehouse/simulator';
import { startPlatform } from '..';

export const platform = await startPlatform({ port: 0, internalPort: 0 });
vi.stubEnv('PLATFORM_INTERNAL_URL', platform.internalUrl);

/**
 * As the preload does in the site's process: attaches the current visitor's ticket to each call.
 */
export const visitor = new AsyncLocalStorage<string>();
let calls = 0;
setGlobalDispatcher(
  new Agent().compose((dispatch) => (options, handler) => {
    const ticket = visitor.getStore() ?? '';
    calls += 1;
    const sealed = callTicket(ticket, calls, options.method, options.path);
    const headers = { ...(options.headers as object), [TICKET_HEADER]: sealed };
    return dispatch({ ...options, headers }, handler);
  }),
);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  const violations = platform.ledger.violations();
  await platform.reset();
  expect(violations).toEqual([]);
});
afterAll(() => platform.close());

/** Advances time for both adapters. */
export const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

export async function overHttp(person: string, workspace?: string): Promise<PlatformSdk> {
  return visitor.run(platform.sessions.mintTicket(person), async () => {
    const guard = await checkPlatformUser({});
    if (!guard.ok) throw new Error('the guard failed');
    return inContext(createPlatformSdk(guard, { workspace }));
  });
}

/** Binds an SDK to the current visitor, wherever it is called from. */
function inContext(sdk: PlatformSdk): PlatformSdk {
  const bind = <T extends object>(resource: T): T =>
    Object.fromEntries(
      Object.entries(resource).map(([name, run]) => [
        name,
        AsyncLocalStorage.bind(run as () => void),
      ]),
    ) as T;
  type WatchOptions = Parameters<PlatformSdk['generations']['watch']>[0];
  const bound = Object.fromEntries(
    Object.entries(sdk).map(([name, resource]) => [name, bind(resource as object)]),
  ) as unknown as PlatformSdk;
  const generations = {
    ...bound.generations,
    watch: AsyncLocalStorage.bind((options: WatchOptions) =>
      boundTo(sdk.generations.watch(options)),
    ),
  };
  return { ...bound, generations };
}

/** Binds a generator, which otherwise runs in the async context of its consumer. */
function boundTo<T>(given: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = given[Symbol.asyncIterator]();
  const next = AsyncLocalStorage.bind(() => iterator.next());
  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async (value: unknown) => (await iterator.return?.(value)) ?? { done: true, value },
    }),
  };
}

let demos = 0;
beforeEach(() => {
  demos += 1;
});
const inMemory = (person: string, workspace?: string) =>
  Promise.resolve(createMemorySdk(`${person}-${demos}`, workspace));

export const order = (prompts: string[], more: Partial<Order> = {}): Order => ({
  prompts,
  kind: 'picture',
  aspectRatio: '1:1',
  references: [],
  ...more,
});
export const newKey = () => ({ idempotencyKey: randomUUID() });

export async function start(sdk: PlatformSdk, prompt: string, more: Partial<Order> = {}) {
  const [made] = await sdk.generations.submit(order([prompt], more), newKey());
  if (!made) throw new Error('nothing was made');
  return made;
}

export const bytesOf = async ({ body }: PlatformFile) =>
  Buffer.from(await new Response(body).arrayBuffer());

export const png = PNG.sync.write(new PNG({ width: 2, height: 2 }));
export const streamOf = (...parts: Uint8Array[]) => new Blob(parts as BlobPart[]).stream();

export const ids = (items: readonly Generation[]) => items.map(({ id }) => id);
export const balanceOf = async (sdk: PlatformSdk) => (await sdk.credits.history()).balance;

export const adapters = [
  ['memory', inMemory],
  ['HTTP to the simulated platform', overHttp],
] as const;
